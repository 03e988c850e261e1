/** An XML element; its parts are XML, too. */
export function element(name: string, attributes: Readonly<Record<string, string>>, parts: readonly string[]): string {
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(value)}"`);
  const open = `<${name}${given.join("")}`;
  return parts.length === 0 ? `${open}/>` : `${open}>\n${parts.map(indented).join("\n")}\n</${name}>`;
}

/** Text inside an element or an attribute. Characters that XML cannot have become question marks. */
export function attribute(text: string): string {
  const legal = text.replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "?");
  return legal.replaceAll(/[&<>"'\n\r\t]/g, (character) => `&#${character.codePointAt(0)};`);
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
