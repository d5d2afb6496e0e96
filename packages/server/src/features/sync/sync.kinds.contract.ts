// Generated from the contracts in features/ by npm run generate. Do not edit.

/** Kinds of game data, each after those that it may refer to. */
export const syncKinds = ["jobs", "licences", "users", "accounts", "duty", "vehicles"] as const;

/** Kinds that a manifest reconciles. */
export const manifestKinds = ["jobs", "licences", "users", "vehicles"] as const;
