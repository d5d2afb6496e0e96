import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayHint, exampleDay, isDay, looksComplete, parseDay, writeDay } from "./day.ts";
import { createMatcher, type Shortcut } from "./keyboard.ts";
import { parseRef } from "./pages.ts";
import { forgetRecent, frequentOf, recentOf, rememberRecent } from "./recent.ts";
import { isFiltered, parseSearch, pickSearch, stringifySearch } from "./search.ts";
import { storedValues } from "./storage.ts";
import { memoryValues, testClock } from "./testkit.ts";
import { calendarDay, playedTime, relativeTime, shortAge } from "./time.ts";
import { citizensSearch } from "#features/citizens/citizens.search.ts";
import { vehiclesSearch } from "#features/vehicles/vehicles.search.ts";

describe("keptIn", () => {
  it("works without storage, as in a frame that is denied it", () => {
    const values = storedValues(() => {
      throw new DOMException("denied", "SecurityError");
    });
    values.write("a", { b: 1 });
    expect(values.read("a")).toEqual({ b: 1 });
    values.remove("a");
    expect(values.read("a")).toBeUndefined();
  });

  it("survives a full or broken storage", () => {
    const broken = {
      getItem: () => "{",
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
      removeItem: () => undefined,
    };
    const values = storedValues(() => broken as unknown as Storage);
    values.write("a", 1);
    expect(values.read("a")).toBeUndefined();
  });
});

describe("addresses", () => {
  it("keep any text unchanged", () => {
    const fields = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }));
    fc.assert(
      fc.property(fields, (search) => {
        expect(parseSearch(stringifySearch(search))).toEqual(search);
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it("have no empty fields and no JSON", () => {
    expect(stringifySearch({ q: "", job: undefined, phone: "5551234" })).toBe("?phone=5551234");
    expect(stringifySearch({})).toBe("");
    expect(parseSearch("?q=&phone=0123")).toEqual({ phone: "0123" });
  });

  it("are cut to what the server accepts, and foreign fields are dropped", () => {
    expect(pickSearch({ q: "x".repeat(99), evil: "1", n: 5, o: {} }, { q: 64, n: 3, o: 9 })).toEqual({
      q: "x".repeat(64),
      n: "5",
    });
    expect(citizensSearch({ q: "lind", dateOfBirth: "1990-02-30", top: "-3", tablet: "1" })).toEqual({
      q: "lind",
    });
    expect(citizensSearch({ dateOfBirth: "1990-02-28", top: "30" })).toEqual({
      dateOfBirth: "1990-02-28",
      top: "30",
    });
    expect(isFiltered(citizensSearch({ top: "30" }))).toBe(false);
    expect(vehiclesSearch({ q: "ab 1", job: "police", top: "0", phone: "5" })).toEqual({
      q: "ab 1",
      job: "police",
    });
  });

  it("recognize short ids", () => {
    expect(parseRef("CIT-12")).toEqual({ prefix: "CIT", id: 12 });
    expect(parseRef(" veh 7 ")).toEqual({ prefix: "VEH", id: 7 });
    expect(parseRef("cit12")).toEqual({ prefix: "CIT", id: 12 });
    for (const text of ["CIT-", "12", "LIND 12", "CIT-12x", "CIT-1234567890"]) expect(parseRef(text)).toBeNull();
  });
});

describe("days", () => {
  it("are parsed with the day first, or as ISO 8601", () => {
    for (const text of ["14.3.1985", "14/03/1985", "14-03-1985", " 1985-03-14 ", "1985/3/14", "14. 3. 1985"])
      expect(parseDay(text, "en-GB")).toBe("1985-03-14");
    for (const text of ["", "14.3.85", "31.2.1990", "1.13.1990", "0.1.1990", "1990-00-10", "abc", "1.1.0001"])
      expect(parseDay(text, "en-GB")).toBeNull();
  });

  it("are in the order of the region, except with dots and with the year first", () => {
    const read = (text: string) => ["en-US", "en-GB", "de-DE", "sv-SE"].map((locale) => parseDay(text, locale));
    expect(read("03/04/1985")).toEqual(["1985-03-04", "1985-04-03", "1985-04-03", "1985-04-03"]);
    expect(new Set([...read("3.4.1985"), ...read("1985-04-03")])).toEqual(new Set(["1985-04-03"]));
    const hints = ["en-US", "en-GB", "sv-SE"].map((locale) => dayHint("DD MM YYYY", locale));
    expect([...hints, dayHint("TT MM JJJJ", "de-DE")]).toEqual(["MM/DD/YYYY", "DD/MM/YYYY", "YYYY-MM-DD", "TT.MM.JJJJ"]);
  });

  it("have an example that can be typed as it is written", () => {
    for (const locale of ["de-DE", "en-GB", "en-US", "en-ZA", "sv-SE"])
      expect(parseDay(exampleDay(locale), locale)).toBe("2026-12-31");
    expect([exampleDay("en-US"), exampleDay("de-DE")]).toEqual(["12/31/2026", "31.12.2026"]);
  });

  it("survive being written and read in every region", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date("1800-01-01"), max: new Date("2999-12-31"), noInvalidDate: true }), (date) => {
        const day = date.toISOString().slice(0, 10);
        expect(isDay(day)).toBe(true);
        for (const locale of ["de-DE", "en-GB", "en-US", "en-ZA", "sv-SE"])
          expect(parseDay(writeDay(day, locale), locale)).toBe(day);
      }),
      { seed: 3, numRuns: 200 },
    );
  });

  it("are validated only once they are complete", () => {
    expect(looksComplete("14.3.19")).toBe(false);
    expect(looksComplete("31.2.1990")).toBe(true);
  });
});

describe("times", () => {
  const now = Date.UTC(2026, 5, 15, 12);

  it("are shown in customary units", () => {
    expect(relativeTime(now - 30_000, now, "en")).toBe("just now");
    expect(relativeTime(now - 3 * 60_000, now, "en")).toBe("3 min. ago");
    expect(relativeTime(now - 26 * 3_600_000, now, "de")).toBe("gestern");
    expect(relativeTime(now + 2 * 3_600_000, now, "en")).toBe("in 2 hr.");
    expect(shortAge(59_999)).toBe("59 s");
    expect(shortAge(61_000)).toBe("1 min");
    expect(shortAge(7_200_000)).toBe("2 h");
    expect(shortAge(4 * 86_400_000)).toBe("4 d");
    expect(playedTime(59)).toBe("0 min");
    expect(playedTime(7_380)).toBe("2 h 3 min");
  });

  it("format calendar days without a time zone, and leave unknown formats unchanged", () => {
    expect(calendarDay("1985-03-01", "de")).toBe("01.03.1985");
    expect(calendarDay("1985-03-01", "en")).toBe("1 Mar 1985");
    expect(calendarDay("spring 1985", "en")).toBe("spring 1985");
  });
});

describe("createMatcher", () => {
  const ran: string[] = [];
  const shortcut = (keys: string): Shortcut => ({
    keys,
    label: keys,
    group: "page",
    run: () => ran.push(keys),
  });
  const all = [shortcut("j"), shortcut("g c"), shortcut("g v"), shortcut("?"), shortcut("Ctrl+K"), shortcut("c")];
  const stroke = (key: string, more: { ctrl?: boolean; typing?: boolean } = {}) => ({
    key,
    ctrl: false,
    typing: false,
    ...more,
  });

  it("finds single keys and pairs", () => {
    const match = createMatcher(testClock(), () => true);
    expect(match(stroke("j"), all)?.keys).toBe("j");
    expect(match(stroke("g"), all)).toBeNull();
    expect(match(stroke("c"), all)?.keys).toBe("g c");
    expect(match(stroke("c"), all)?.keys).toBe("c");
    expect(match(stroke("g"), all)).toBeNull();
    expect(match(stroke("x"), all)).toBeNull();
    expect(match(stroke("v"), all)).toBeNull();
  });

  it("forgets the first key of a pair after a timeout", async () => {
    const clock = testClock();
    const match = createMatcher(clock, () => true);
    match(stroke("g"), all);
    await clock.advance(1_201);
    expect(match(stroke("c"), all)?.keys).toBe("c");
  });

  it("ignores keys typed into fields, and all but Ctrl keys when single keys are off", () => {
    const match = createMatcher(testClock(), () => true);
    expect(match(stroke("j", { typing: true }), all)).toBeNull();
    expect(match(stroke("k", { ctrl: true, typing: true }), all)?.keys).toBe("Ctrl+K");
    expect(match(stroke("j", { ctrl: true }), all)).toBeNull();
    const off = createMatcher(testClock(), () => false);
    expect(off(stroke("j"), all)).toBeNull();
    expect(off(stroke("K", { ctrl: true }), all)?.keys).toBe("Ctrl+K");
  });

  it("prefers what was registered last", () => {
    const match = createMatcher(testClock(), () => true);
    const later = shortcut("j");
    expect(match(stroke("j"), [...all, later])).toBe(later);
  });
});

describe("recent entries", () => {
  it("are the latest twelve, each once, and per character", () => {
    const kept = memoryValues();
    for (let id = 1; id <= 15; id += 1) rememberRecent(1, { kind: "citizens", id, ref: `CIT-${id}`, title: "x" }, kept);
    rememberRecent(1, { kind: "citizens", id: 10, ref: "CIT-10", title: "y" }, kept);
    const entries = recentOf(1, kept);
    expect(entries).toHaveLength(12);
    expect(entries[0]).toMatchObject({ id: 10, title: "y" });
    expect(recentOf(2, kept)).toEqual([]);
    forgetRecent(1, kept);
    expect(recentOf(1, kept)).toEqual([]);
  });

  it("that were opened often follow the latest, without those that only changed while they were open", () => {
    const kept = memoryValues();
    const open = (...ids: number[]) => {
      for (const id of ids) rememberRecent(1, { kind: "citizens", id, ref: `CIT-${id}`, title: "x" }, kept);
    };
    open(7, 8, 7, 8, 7, 9, 9, 9, 9, 8, 8, 1, 2);
    expect(frequentOf(1, 2, kept).map(({ id }) => id)).toEqual([8, 7]);
    open(7);
    expect(frequentOf(1, 2, kept).map(({ id }) => id)).toEqual([8]);
  });
});
