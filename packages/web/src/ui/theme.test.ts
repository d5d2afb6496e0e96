import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BRAND, contrast, parse, shadesOf } from "./accent.ts";
import { accent, danger, themeOf, variables } from "./theme.ts";

type Rgb = ReturnType<typeof parse>;
type Scheme = "light" | "dark";

const anyColour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

/** WCAG 2.1: 1.4.3 for text, 1.4.11 for the outline of the focused control. */
const leastOfText = 4.5;
const leastOfOutline = 3;

function tokensOf(scheme: Scheme, job: string): (name: string) => string {
  const theme = themeOf({ job, large: false });
  const all = variables(theme as never);
  const tokens: Record<string, string> = { ...all.variables, ...all[scheme] };
  return (token) => {
    const value = tokens[token] ?? "";
    const [, name, shade] = /^var\(--mantine-color-(accent|job)-(\d)\)$/.exec(value) ?? [];
    return name === undefined ? value : (theme.colors?.[name]?.[Number(shade)] ?? "");
  };
}

function layOver(ground: Rgb, layer: string): Rgb {
  const [red = 0, green = 0, blue = 0, alpha = 0] = [...layer.matchAll(/[\d.]+/g)].map(Number);
  const mix = (below: number, above: number) => below * (1 - alpha) + above * alpha;
  return [mix(ground[0], red), mix(ground[1], green), mix(ground[2], blue)];
}

/** What text lies on: each surface of the scheme, plain and under the pointer. */
function groundsOf(token: (name: string) => string): [name: string, ground: Rgb][] {
  return ["--rc-ground", "--rc-surface", "--rc-raised"].flatMap((name) => {
    const plain = parse(token(name));
    return [
      [name, plain],
      [`${name} under the pointer`, layOver(plain, token("--rc-hover"))],
    ] as [string, Rgb][];
  });
}

function tooPale(scheme: Scheme, job: string, names: readonly string[], least: number): string[] {
  const token = tokensOf(scheme, job);
  return names.flatMap((name) =>
    groundsOf(token).flatMap(([on, ground]) => {
      const found = contrast(parse(token(name)), ground);
      return found >= least ? [] : [`${name} on ${on}: ${found.toFixed(2)}`];
    }),
  );
}

describe.each<Scheme>(["light", "dark"])("the %s scheme", (scheme) => {
  it("links are readable and the focus is visible, in the same colour for every job", () => {
    const neutral = ["--mantine-color-anchor", "--rc-accent-text", "--rc-focus"];
    expect(tooPale(scheme, BRAND, neutral.slice(0, 2), leastOfText)).toEqual([]);
    expect(tooPale(scheme, BRAND, neutral.slice(2), leastOfOutline)).toEqual([]);
    for (const job of ["#d6455d", "#c7772e"])
      expect(neutral.map(tokensOf(scheme, job))).toEqual(neutral.map(tokensOf(scheme, BRAND)));
  });

  it.each(["#fff59d", "#ffff00", "#ffffff", "#000000", "#0000ff", "#c9a227", BRAND])("a job of %s is recognised", (job) => {
    expect(tooPale(scheme, job, ["--rc-job"], leastOfText)).toEqual([]);
  });

  it("a job is recognised by any colour", () => {
    fc.assert(
      fc.property(anyColour, (job) => {
        expect(tooPale(scheme, job, ["--rc-job"], leastOfText)).toEqual([]);
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it("dimmed text and states are readable on every surface, hints on that of an input", () => {
    expect(
      tooPale(
        scheme,
        BRAND,
        ["--mantine-color-dimmed", "--rc-ok", "--rc-warn", "--rc-bad", "--mantine-color-error"],
        leastOfText,
      ),
    ).toEqual([]);
    const token = tokensOf(scheme, BRAND);
    const hint = contrast(parse(token("--mantine-color-placeholder")), parse(token("--rc-surface")));
    expect(hint).toBeGreaterThanOrEqual(leastOfText);
  });
});

it("has the shades that are written out as they would be computed", () => {
  expect(accent).toEqual(shadesOf(BRAND));
  expect(danger).toEqual(shadesOf("#c92a2a"));
});
