import { Type, type Static, type TSchema } from "typebox";
import { inWords } from "./ids.ts";

/**
 * What a person chose, kept on the server and the same on each of their devices. Not for what others should see
 * or what decides about rights.
 */
export interface PreferenceDefinition<S extends TSchema = TSchema> {
  /** `<feature>.<name>`, stored with each value: renaming it loses them. */
  readonly id: string;
  readonly schema: S;
  /** Without a stored value, and where the stored one does not fit the schema any more. */
  readonly default: Static<S>;
  /** One value for the account, or one for each of its characters. */
  readonly per: "account" | "character";
  /** Of the schema, stored with each value. Raised when a value changes its meaning. */
  readonly version: number;
  /** A value of the previous version as one of this version. */
  fromPrevious?(value: unknown): unknown;
}

export function definePreference<S extends TSchema>(definition: PreferenceDefinition<S>): PreferenceDefinition<S> {
  return definition;
}

export type PreferenceOf<D extends PreferenceDefinition> = Static<D["schema"]>;

/** The filters, order and columns of a list under names that a person gave them. */
export const SavedViews = Type.Object(
  {
    views: Type.Array(
      Type.Object(
        {
          name: Type.String({
            minLength: 1,
            maxLength: 60,
            pattern: "^\\S(?:.*\\S)?$",
            ...inWords("must have no blank at its beginning or end"),
          }),
          /** The fields of the list's address. */
          search: Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 100 }), { maxProperties: 20 }),
        },
        { additionalProperties: false },
      ),
      { maxItems: 20 },
    ),
    /** Name of the view with which the list opens. */
    opens: Type.Union([Type.String({ maxLength: 60 }), Type.Null()]),
  },
  { additionalProperties: false },
);
export type SavedViews = Static<typeof SavedViews>;

/**
 * The saved views of a list: those of a character, as rights and tasks differ between characters; those of the account
 * for a list that is also opened before a character is chosen.
 */
export function defineSavedViews(
  id: string,
  { per = "character" }: Partial<Pick<PreferenceDefinition, "per">> = {},
): PreferenceDefinition<typeof SavedViews> {
  return definePreference({ id, schema: SavedViews, default: { views: [], opens: null }, per, version: 1 });
}
