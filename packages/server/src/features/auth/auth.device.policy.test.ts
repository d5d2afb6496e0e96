import fc from "fast-check";
import { expect, test } from "vitest";
import { deviceOf } from "./auth.device.policy.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

/** As the programs send them. */
test.each([
  [
    "FiveM",
    "Windows",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/103.0.5060.134 Safari/537.36 CitizenFX/1.0.0.10488`,
  ],
  ["Chrome", "Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/148.0.0.0 Safari/537.36`],
  ["Edge", "Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/148.0.0.0 Safari/537.36 Edg/148.0.0.0`],
  ["Edge", "Android", `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/148.0.0.0 Mobile Safari/537.36 EdgA/148.0.0.0`],
  ["Opera", "Windows", `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/146.0.0.0 Safari/537.36 OPR/130.0.0.0`],
  ["Vivaldi", "Linux", `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/146.0.0.0 Safari/537.36 Vivaldi/7.6`],
  [
    "Samsung Internet",
    "Android",
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/29.0 Chrome/136.0.0.0 Mobile Safari/537.36`,
  ],
  ["Firefox", "Linux", "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0"],
  ["Firefox", "Android", "Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0"],
  [
    "Firefox",
    "iOS",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) FxiOS/150.0 Mobile/15E148 Safari/604.1",
  ],
  [
    "Chrome",
    "iOS",
    "Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/148.0.0.0 Mobile/15E148 Safari/604.1",
  ],
  [
    "Safari",
    "macOS",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
  ],
  [
    "Safari",
    "iOS",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  ],
  ["Chrome", "ChromeOS", `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/148.0.0.0 Safari/537.36`],
  ["", "", "curl/8.14.1"],
  ["", "", ""],
])("%s on %s", (browser, system, userAgent) => {
  expect(deviceOf(userAgent)).toEqual({ browser, system });
});

test("an unknown program is shown without a part of what it sent", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (userAgent) => {
      const known =
        /^(?:|FiveM|Edge|Opera|Vivaldi|Samsung Internet|Firefox|Chrome|Safari|Windows|iOS|Android|macOS|ChromeOS|Linux)$/;
      const { browser, system } = deviceOf(userAgent);
      expect([browser, system].every((one) => known.test(one))).toBe(true);
    }),
    { seed: 24, numRuns: 300 },
  );
});
