export type Strength = "short" | "weak" | "fair" | "strong";

const SETS = [
  { letters: /\p{Ll}/u, size: 26 },
  { letters: /\p{Lu}/u, size: 26 },
  { letters: /\p{N}/u, size: 10 },
  { letters: /[^\p{L}\p{N}\s]/u, size: 30 },
  { letters: /\s/u, size: 1 },
];

/** Bits of entropy from which a password counts as such. */
const FAIR = 50;
const STRONG = 70;

/** How hard a password is to guess, by its length and the letters in it; repetition and the user name count little. */
export function strengthOf(password: string, username: string, minimum: number): Strength {
  if (password.length < minimum) return "short";
  const name = username.trim().toLowerCase();
  const own = name.length < 3 ? password : password.toLowerCase().split(name).join("");
  const pool = SETS.reduce((sum, { letters, size }) => sum + (letters.test(own) ? size : 0), 0);
  const length = Math.min(own.length, new Set(own).size * 2);
  const bits = pool === 0 ? 0 : length * Math.log2(pool);
  return bits < FAIR ? "weak" : bits < STRONG ? "fair" : "strong";
}
