export class Account {
  private balance = 0;
  private readonly history: number[] = [];

  constructor(private readonly limit: number) {}

  deposit(amount: number): void {
    if (amount <= 0) throw new RangeError("a deposit is positive");
    this.book(amount);
  }

  withdraw(amount: number): boolean {
    if (this.balance - amount <= -this.limit) return false;
    this.book(-amount);
    return true;
  }

  get movements(): number {
    return this.history.length;
  }

  private book(amount: number): void {
    this.balance += amount;
    this.history.push(amount);
  }
}
