/**
 * Subjects are words of letters, digits, `_` and `-`, joined by dots. Patterns may contain `*` for one
 * word and end in `>` for one word or more.
 */
const word = /^[A-Za-z0-9_-]+$/;

class InvalidSubject extends Error {
  override name = "InvalidSubject";
}

export function checkSubject(subject: string): string {
  if (subject.split(".").every((w) => word.test(w))) return subject;
  throw new InvalidSubject(`"${subject}" is not a subject: use words of letters, digits, _ and -, joined by dots`);
}

export function checkPattern(pattern: string): string {
  const words = pattern.split(".");
  const good = words.every((w, i) => w === "*" || word.test(w) || (w === ">" && i === words.length - 1));
  if (good) return pattern;
  throw new InvalidSubject(`"${pattern}" is not a subject pattern: use words, * for one word, > for the rest`);
}

/** Names of streams, durables and buckets. */
export function checkName(name: string): string {
  if (word.test(name)) return name;
  throw new InvalidSubject(`"${name}" is not a name: use letters, digits, _ and -`);
}

export function matches(pattern: string, subject: string): boolean {
  const want = pattern.split(".");
  const have = subject.split(".");
  for (let i = 0; i < want.length; i++) {
    if (want[i] === ">") return have.length > i;
    if (i >= have.length || (want[i] !== "*" && want[i] !== have[i])) return false;
  }
  return want.length === have.length;
}
