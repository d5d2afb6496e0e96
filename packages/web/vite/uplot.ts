import type { Plugin } from "vite";

const FORMAT = "new Intl.NumberFormat(domEnv ? nav.language : 'en-US')";

/**
 * uPlot makes a format of numbers from the language of the browser when it is loaded, which throws where that is no
 * language tag ("en-US@posix", as Chromium says without LANG). Plots write their numbers themselves.
 */
export function uplotWithoutLanguage(): Plugin {
  return {
    name: "rollcall-uplot-language",
    enforce: "pre",
    transform(code, id) {
      if (!id.includes("/uplot/dist/uPlot.esm.js")) return null;
      if (!code.includes(FORMAT)) throw new Error("uPlot does not make its format of numbers as before: see vite/uplot.ts");
      return { code: code.replace(FORMAT, "new Intl.NumberFormat('en-US')"), map: null };
    },
  };
}
