/** Fewest characters of a secret or a Sync API token that cannot be guessed. */
export const minimumSecretLength = 24;

export const isShortSecret = (secret: string): boolean => Array.from(secret).length < minimumSecretLength;

/** The number of secrets below the minimum. */
export const countShort = (secrets: readonly string[]): number => secrets.filter(isShortSecret).length;
