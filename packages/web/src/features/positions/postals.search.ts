import { foldCode } from "@rollcall/server/contract/core";

/** The code that somebody typed as a whole. */
export const codeTyped = (codes: readonly string[], text: string): string | undefined =>
  codes.find((code) => foldCode(code) === foldCode(text));

/** Codes that contain a text: the same one first, then those that begin with it. All of them for none. */
export function foundCodes(codes: readonly string[], text: string, most: number): readonly string[] {
  const wanted = foldCode(text);
  if (wanted === "") return codes.slice(0, most);
  const rank = (code: string) => (code === wanted ? 0 : code.startsWith(wanted) ? 1 : code.includes(wanted) ? 2 : 3);
  const found: string[][] = [[], [], []];
  for (const code of codes) found[rank(foldCode(code))]?.push(code);
  return found.flat().slice(0, most);
}
