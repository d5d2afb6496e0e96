import { Select } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import type { Option, OptionGroup } from "./listFilters.ts";
import { jobOption } from "./small.tsx";

export interface SelectFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly options: readonly (Option | OptionGroup)[];
  /** The options are jobs, and are shown with their sign. */
  readonly jobs?: boolean;
  readonly nothingFound: string;
  /** Empty for none. */
  readonly value: string;
  onChange(value: string): void;
  /** It was opened before it was loaded. */
  readonly open: boolean;
  /** What was typed before it was loaded. */
  readonly typed: string;
}

/** One of many, found by typing. Loaded when it is first used, and has the focus then. */
export default function SelectField({ options, jobs = false, value, onChange, open, typed, ...props }: SelectFieldProps) {
  const { t } = useText();
  const values = options.flatMap((one) => ("group" in one ? one.items : [one])).map((one) => one.value);
  const all = value === "" || values.includes(value) ? options : [{ value, label: value }, ...options];
  return (
    <Select
      label={props.label}
      placeholder={props.placeholder}
      data={all.map((one) => ("group" in one ? { group: one.group, items: [...one.items] } : one))}
      value={value === "" ? null : value}
      onChange={(next) => onChange(next ?? "")}
      {...(jobs ? { renderOption: jobOption } : {})}
      clearable
      searchable
      autoFocus
      defaultDropdownOpened={open}
      {...(typed === "" ? {} : { defaultSearchValue: typed })}
      nothingFoundMessage={props.nothingFound}
      clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
    />
  );
}
