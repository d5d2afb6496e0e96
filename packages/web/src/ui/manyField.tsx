import { MultiSelect } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import type { Option } from "./listFilters.ts";

export interface ManyFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly options: readonly Option[];
  readonly most: number;
  readonly nothingFound: string;
  /** With commas between them; empty for none. */
  readonly value: string;
  onChange(value: string): void;
}

/** Several of many, found by typing. */
export default function ManyField({ label, placeholder, options, most, nothingFound, value, onChange }: ManyFieldProps) {
  const { t } = useText();
  const chosen = value === "" ? [] : value.split(",");
  const gone = chosen.filter((one) => !options.some((option) => option.value === one));
  return (
    <MultiSelect
      label={label}
      {...(chosen.length === 0 ? { placeholder } : {})}
      data={[...options, ...gone.map((one) => ({ value: one, label: one }))]}
      value={chosen}
      onChange={(next) => onChange(next.join(","))}
      maxValues={most}
      clearable
      searchable
      nothingFoundMessage={nothingFound}
      clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
    />
  );
}
