/** Fewest characters of a secret or a Sync API token that cannot be guessed. */
export const minimumSecretLength = 24;

export const isShortSecret = (secret: string): boolean => Array.from(secret).length < minimumSecretLength;

/** Why a secret can be guessed: it is short, stands in an example that everybody can read, or consists of few or regular characters. */
export type SecretWeakness = "short" | "placeholder" | "regular";

/** What examples of this and similar programs write where a secret belongs; compared without case, blanks and punctuation. */
const placeholders =
  /changeme|changethis|replaceme|replacethis|placeholder|yourgenerated|your(own|jwt|cookie|secret|random|token|sync|api)|longrandom|randomsecret|generatea|insert(your|here)|putyour|atleast24|randomcharacters|supersecret|notsosecret|example/;

/** Fewest different characters; of 24 random digits one in a thousand has less. */
const fewestDifferent = 7;

/** The same group of characters again and again: `abcabcabc`. */
function repeats(characters: readonly string[]): boolean {
  const { length } = characters;
  for (let period = 1; period <= length / 2; period++)
    if (characters.every((one, i) => i < period || one === characters[i - period])) return true;
  return false;
}

/** Mostly characters that follow each other: `abcdefgh`, `87654321`. */
function counts(characters: readonly string[]): boolean {
  const steps = characters.slice(1).map((one, i) => Math.abs((one.codePointAt(0) ?? 0) - (characters[i]?.codePointAt(0) ?? 0)));
  return steps.filter((step) => step === 1).length > steps.length / 2;
}

/** Null for a secret that nobody can know. */
export function secretWeakness(secret: string): SecretWeakness | null {
  if (isShortSecret(secret)) return "short";
  if (placeholders.test(secret.toLowerCase().replaceAll(/[^a-z\d]/g, ""))) return "placeholder";
  const characters = Array.from(secret);
  return new Set(characters).size < fewestDifferent || repeats(characters) || counts(characters) ? "regular" : null;
}

/** Where the configuration holds the secrets that sign, encrypt or let in. */
export interface Secrets {
  readonly secret: string | null | undefined;
  readonly jwt: { readonly secret: string | undefined };
  readonly http: { readonly sessions: { readonly cookieSecret: string | undefined } };
  readonly sync: { readonly apiTokens: readonly string[] | undefined };
}

export interface WeakSecret {
  readonly option: string;
  readonly weakness: SecretWeakness;
}

/** The secrets that can be guessed, in the order of the document. */
export function weakSecrets({ secret, jwt, http, sync }: Secrets): WeakSecret[] {
  const tokens = (sync.apiTokens ?? []).map((token, i) => [`sync.apiTokens[${i}]`, token] as const);
  const all = [
    ["secret", secret],
    ["jwt.secret", jwt.secret],
    ["http.sessions.cookieSecret", http.sessions.cookieSecret],
  ] as const;
  return [...all, ...tokens].flatMap(([option, value]) => {
    const weakness = value ? secretWeakness(value) : null;
    return weakness === null ? [] : [{ option, weakness }];
  });
}
