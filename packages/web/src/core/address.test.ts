import { expect, it } from "vitest";
import english from "../features/auth/auth.text.en.json" with { type: "json" };
import german from "../features/auth/auth.text.de.json" with { type: "json" };
import { unlistedAddress } from "./address.ts";

it.each([
  ["http://localhost:8080", "http://localhost:8080", null],
  ["https://City.example", "https://city.example", null],
  ["https://city.example https://beside.example", "https://beside.example", null],
  ["__ORIGINS__", "http://localhost:5173", null],
  ["", "http://localhost:5173", null],
  ["http://localhost:8080", "http://127.0.0.1:8080", ["http://localhost:8080"]],
  ["https://city.example", "http://city.example", ["https://city.example"]],
  ["https://city.example", "https://city.example:8443", ["https://city.example"]],
])("of %s at %s", (written, here, listed) => {
  expect(unlistedAddress(written, here)).toEqual(listed && { here, listed });
});

it.each([english, german])("the page at another address names the option and both addresses, in each language", ({ address }) => {
  expect(address.text).toContain("http.origins");
  expect(address.text).toContain("{{here}}");
  expect(address.text).toContain("{{listed}}");
  expect(address.forAdmins).toContain("{{here}}");
});
