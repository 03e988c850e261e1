import { describe, expect, it } from "vitest";
import { Account } from "../src/account.ts";
import { invoice } from "../src/invoice.ts";
import { median } from "../src/median.ts";
import { shippingCost } from "../src/shipping.ts";
import { parcels } from "../src/stock.ts";

describe("shop", () => {
  it("ships for nothing from 50 on", () => {
    expect(shippingCost(20, 7)).toBe(8);
    expect(shippingCost(50, 2)).toBe(0);
  });

  it("finds the median", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([9, 1, 8, 2])).toBe(5);
  });

  it("adds up an invoice", () => {
    const lines = [
      { article: "book", price: 20, count: 2 },
      { article: "ink", price: 5, count: 4 },
    ];
    expect(invoice(lines)).toEqual({ net: 60, tax: 6.6, gross: 66.6 });
  });

  it("lets an account be used up to its limit", () => {
    const account = new Account(100);
    account.deposit(50);
    expect(account.withdraw(150)).toBe(true);
    expect(account.movements).toBe(2);
  });

  it("packs what is in stock", async () => {
    const store = { read: async (article: string) => (article === "pen" ? 6 : 0) };
    expect(await parcels(store, "pen", 10)).toBe(2);
  });
});
