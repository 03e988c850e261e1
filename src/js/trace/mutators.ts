/** Methods that change their receiver. */
export const mutators =
  /^(push|pop|shift|unshift|splice|sort|reverse|fill|set|add|delete|clear|copyWithin|append|set(UTC)?(Date|Month|FullYear|Hours|Minutes|Seconds|Milliseconds|Time))$/;
