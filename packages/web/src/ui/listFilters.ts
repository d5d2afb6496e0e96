import { calendarDay } from "#core/time.ts";
import type { Language } from "#core/preferences.ts";

/** The filters of a list in its address. */
export type FilterValues = Readonly<Record<string, string | undefined>>;

interface FilterBase {
  /** Its name in the address. */
  readonly id: string;
  readonly label: string;
  /** False: the viewer gets no field for it. What a link sets has a chip all the same. */
  readonly offered?: boolean;
}

export interface Option {
  readonly value: string;
  readonly label: string;
}

export interface OptionGroup {
  readonly group: string;
  readonly items: readonly Option[];
}

/** A filter of a list: declared once, it is a field of the panel and a chip above the rows. */
export type Filter = FilterBase &
  (
    | {
        readonly kind: "text";
        readonly maxLength: number;
        readonly inputMode?: "tel";
        /** Shorter texts find nothing and are not applied. */
        readonly least?: { readonly count: number; readonly of: "digits" | "characters" };
      }
    | { readonly kind: "day" }
    | { readonly kind: "job"; readonly placeholder: string }
    /** One of a few. */
    | { readonly kind: "choice"; readonly options: readonly Option[]; readonly placeholder: string }
    /** One of many, found by typing. */
    | {
        readonly kind: "pick";
        readonly options: readonly (Option | OptionGroup)[];
        readonly placeholder: string;
        readonly nothingFound: string;
      }
    /** Several of many, found by typing: in the address with commas between them. */
    | {
        readonly kind: "picks";
        readonly options: readonly Option[];
        readonly most: number;
        readonly placeholder: string;
        readonly nothingFound: string;
      }
    /** Set by links only; `and` is removed together with it. */
    | { readonly kind: "link"; readonly and?: readonly string[]; text(values: FilterValues): string }
  );

/** A filter that is set, as it is shown above the rows. */
export interface Chip {
  readonly id: string;
  readonly text: string;
}

interface ChipNames {
  readonly language: Language;
  jobLabel(name: string): string;
}

function valueText(filter: Exclude<Filter, { kind: "link" }>, value: string, { language, jobLabel }: ChipNames): string {
  switch (filter.kind) {
    case "day":
      return calendarDay(value, language);
    case "job":
      return jobLabel(value);
    case "choice":
    case "pick":
      return labelOf(filter.options, value);
    case "picks":
      return value
        .split(",")
        .map((one) => labelOf(filter.options, one))
        .join(", ");
    case "text":
      return value;
  }
}

/** The label of an option; the value itself for one that is not offered any more. */
export function labelOf(options: readonly (Option | OptionGroup)[], value: string): string {
  const all = options.flatMap((one) => ("group" in one ? one.items : [one]));
  return all.find((one) => one.value === value)?.label ?? value;
}

/** What is filtered, in the order of the declarations. */
export function chipsOf(filters: readonly Filter[], values: FilterValues, names: ChipNames): Chip[] {
  return filters.flatMap((filter) => {
    const value = values[filter.id];
    if (value === undefined) return [];
    const text = filter.kind === "link" ? filter.text(values) : `${filter.label}: ${valueText(filter, value, names)}`;
    return [{ id: filter.id, text }];
  });
}

/** The address with another value of a filter, at its first row; without the filter for an empty one. */
export function withFilter<S extends object>(search: S, filters: readonly Filter[], id: string, value: string): S {
  const found = filters.find((one) => one.id === id);
  const gone = new Set(["top", id, ...(found?.kind === "link" ? (found.and ?? []) : [])]);
  const rest = Object.fromEntries(Object.entries(search).filter(([name]) => !gone.has(name)));
  return (value === "" ? rest : { ...rest, [id]: value }) as S;
}

/** The address with its order and its columns, without filters. */
export function withoutFilters<S extends object>(search: S): S {
  const kept = Object.entries(search).filter(([name]) => name === "order" || name === "hide");
  return Object.fromEntries(kept) as S;
}

/** The search text of a typed one: empty while it is too short to find anything. */
export function enough(
  typed: string,
  least: { readonly count: number; readonly of: "digits" | "characters" } | undefined,
): boolean {
  if (!least) return true;
  return typed.replace(least.of === "digits" ? /\D/g : /[\s-]/g, "").length >= least.count;
}
