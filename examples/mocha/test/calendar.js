import assert from "node:assert/strict";
import { daysInYear } from "../src/calendar.js";

describe("calendar", () => {
  it("knows ordinary years", () => {
    assert.equal(daysInYear(2023), 365);
  });

  it("knows leap years", () => {
    assert.equal(daysInYear(2024), 366);
  });

  it("knows the years between centuries", () => {
    assert.equal(daysInYear(1900), 365);
    assert.equal(daysInYear(2000), 366);
  });
});
