import { describe, expect, it } from "vitest";
import { browser103Faults } from "./browser103.ts";
import { unsupportedCss } from "./browser103.css.ts";
import { unsupportedScripts } from "./browser103.script.ts";

describe("the scan of style sheets for Chromium 103", () => {
  it.each([
    ["a:has(b){color:red}", ":has"],
    ["a,b:not(:popover-open){color:red}", ":popover-open"],
    ["a::-moz-range-track{color:red}", "::-moz-range-track"],
    ["@container (width>1px){a{color:red}}", "@container"],
    ["@scope (a){b{color:red}}", "@scope"],
    ["@starting-style{a{color:red}}", "@starting-style"],
    ["@media (width>=3px){a{color:red}}", "@media range"],
    ["@media (scripting){a{color:red}}", "@media (scripting)"],
    ["a{color:red;&:hover{color:blue}}", "nesting"],
    ["a{@media print{color:red}}", "nesting"],
    ["a{translate:1px}", "property translate"],
    ["a{mask:url(x)}", "property mask"],
    ["a{color:color-mix(in srgb,red,blue)}", "color: color-mix()"],
    ["a{--x:light-dark(red,blue)}", "--x: light-dark()"],
    ["a{color:rgb(from red r g b)}", "color: rgb(from)"],
    ["a{transition-timing-function:linear(0,1)}", "transition-timing-function: linear()"],
    ["a{height:100dvh}", "height: unit dvh"],
    ["a{width:10cqw}", "width: unit cqw"],
    ["a{grid-template-columns:subgrid}", "grid-template-columns: subgrid"],
    ["a{height:100vh;height:calc(100dvh - var(--x))}", "height: unit dvh"],
    ["@supports not (height:1dvh){a{height:1dvh}}", "height: unit dvh"],
  ])("finds what is missing in %s", (css, what) => expect(unsupportedCss(css)).toContain(what));

  it("reports what it cannot read", () =>
    expect(unsupportedCss("a{b{color:red}}")).toEqual([expect.stringMatching(/^unreadable/)]));

  it.each([
    "a:focus-visible:is(b):where(c)::placeholder{inset:0;aspect-ratio:1;gap:1px;overflow:clip;accent-color:red}",
    "@layer a{@media (min-width:3px) and (prefers-reduced-motion:reduce){a{width:min(1px,clamp(1px,2vw,3px))}}}",
    "@supports (height:1dvh){a{height:1dvh}}",
    "a{height:100vh;height:100dvh}",
    "a{-webkit-mask:url(x);mask:url(x)}",
  ])("accepts %s", (css) => expect(unsupportedCss(css)).toEqual([]));
});

describe("the scan of scripts for Chromium 103", () => {
  const lacks = (code: string, polyfills = "") => unsupportedScripts(new Map([["a.js", code]]), polyfills).get("a.js") ?? [];

  it.each([
    ["list.toSorted()", "Array.prototype.toSorted"],
    ["new Set().union(other)", "Set.prototype.union"],
    ["Promise.withResolvers()", "Promise.withResolvers"],
    ["Object.groupBy([], (x) => x)", "Object.groupBy"],
    ["URL.canParse('')", "URL.canParse"],
    ["AbortSignal.any([])", "AbortSignal.any"],
    ["element.showPopover()", "HTMLElement.prototype.showPopover"],
    ["document.startViewTransition(() => 1)", "Document.prototype.startViewTransition"],
    ["Temporal.Now.instant()", "Temporal"],
    ["new Iterator()", "new Iterator"],
  ])("finds what is missing in %s", (code, what) => expect(lacks(code)).toEqual([what]));

  it.each(["/[a--b]/v", "import x from 'x' with { type: 'json' }", "using x = open()"])("finds the syntax of %s", (code) =>
    expect(lacks(code)).toEqual([expect.stringMatching(/^syntax: /)]),
  );

  it.each([
    "class A { static { } #x; y = 1 } await 1; x ??= 1; /(?<=a)b/d",
    "[1].findLast(f); 'a'.at(-1); Object.hasOwn(a, 1); structuredClone(1); crypto.randomUUID()",
    "typeof Temporal === 'object' && Temporal.Now",
    "const Iterator = class {}; new Iterator()",
    "const menu = { showPopover() {} }; menu.showPopover()",
  ])("accepts %s", (code) => expect(lacks(code)).toEqual([]));

  it("counts what the polyfills really add", () => {
    const adds = (name: string) => `if (!Array.prototype.${name}) Array.prototype.${name} = function () { return [...this] }`;
    expect(lacks("list.toSorted()", adds("toSorted"))).toEqual([]);
    expect(lacks("list.toSorted()", adds("toReversed"))).toEqual(["Array.prototype.toSorted"]);
  });
});

describe("the scan of a build for Chromium 103", () => {
  const build = (css: string) => ({
    polyfills: "polyfills.js",
    files: new Map([
      ["polyfills.js", "Array.prototype.toSorted ??= function () { return [...this].sort() }"],
      ["a.js", "export const a = (list) => list.toSorted()"],
      ["a.css", css],
    ]),
  });
  const exception = { what: ":has", why: "" };

  it("names the file", () =>
    expect(browser103Faults(build("a:has(b){color:red}"), [])).toEqual(["a.css: Chromium 103 lacks :has"]));
  it("lets a listed use pass, and reports an exception that nothing needs", () => {
    expect(browser103Faults(build("a:has(b){color:red}"), [exception])).toEqual([]);
    expect(browser103Faults(build("a{color:red}"), [exception])).toEqual([expect.stringContaining("delete the exception")]);
  });
});
