/** Jobs that run one after the other; each gets the result of the one before. */
export class Queue {
  #jobs = [];

  add(job) {
    this.#jobs.push(job);
    return this;
  }

  async run(start) {
    let result = start;
    for (const job of this.#jobs) result = await job(start);
    return result;
  }
}
