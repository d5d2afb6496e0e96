import { foldLetters } from "@rollcall/server/contract/core";
import type { DutyPerson } from "@rollcall/server/contract/duty";

type Named = Pick<DutyPerson, "id" | "name" | "job">;

const byText = (a: string, b: string) => {
  const [one, other] = [foldLetters(a), foldLetters(b)];
  return one < other ? -1 : one > other ? 1 : 0;
};

/** The own job first, then the others by name; in each those of the highest grade first. */
export const inOrder =
  (ownJob: string) =>
  (a: Named, b: Named): number => {
    const rank = ({ job }: Named) => (job.name === ownJob ? 0 : 1);
    return (
      rank(a) - rank(b) ||
      byText(a.job.label, b.job.label) ||
      byText(a.job.name, b.job.name) ||
      b.job.grade - a.job.grade ||
      byText(a.name, b.name) ||
      a.id - b.id
    );
  };

/** Whether all words of a search are in these texts, without accents and case. */
export function hasWords(search: string, texts: readonly (string | null | undefined)[]): boolean {
  const all = foldLetters(texts.filter(Boolean).join(" "));
  return foldLetters(search)
    .split(/\s+/)
    .every((word) => all.includes(word));
}

/** The first of a person's names, as colleagues call each other. */
export const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? "";
