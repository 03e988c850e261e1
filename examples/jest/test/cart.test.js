const { total } = require("../src/cart");

describe("cart", () => {
  it("is empty at first", () => {
    expect(total([])).toBe(0);
  });

  it("costs less from three pieces on", () => {
    const lines = [
      { price: 5, count: 1 },
      { price: 10, count: 3 },
    ];
    expect(total(lines)).toBe(32);
  });
});
