import { foldLetters } from "./fold.ts";

interface Member {
  readonly id: number;
  readonly name: string;
  readonly job: { readonly name: string; readonly label: string; readonly grade: number };
}

/**
 * Orders people on duty: the own job first, then the others by label; in each those of the highest grade first, then by
 * name. For one list; it keeps the folded texts.
 */
export function byJobAndName(ownJob: string | null): (a: Member, b: Member) => number {
  const folded = new Map<string, string>();
  const keyOf = (text: string) => {
    const key = folded.get(text) ?? foldLetters(text);
    folded.set(text, key);
    return key;
  };
  const compare = (a: string, b: string) => {
    const [one, other] = [keyOf(a), keyOf(b)];
    return one < other ? -1 : one > other ? 1 : 0;
  };
  const rank = ({ job }: Member) => (job.name === ownJob ? 0 : 1);
  return (a, b) =>
    rank(a) - rank(b) ||
    compare(a.job.label, b.job.label) ||
    compare(a.job.name, b.job.name) ||
    b.job.grade - a.job.grade ||
    compare(a.name, b.name) ||
    a.id - b.id;
}
