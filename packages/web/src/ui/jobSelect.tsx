import { Select } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { jobOption } from "./small.tsx";

export interface JobSelectProps {
  readonly label: string;
  readonly placeholder: string;
  readonly jobs: readonly { readonly name: string; readonly label: string }[];
  readonly loading: boolean;
  readonly value: string | null;
  onChange(job: string | null): void;
}

/** One of the jobs, or none. Loaded when a filter is opened. */
export default function JobSelect({ label, placeholder, jobs, loading, value, onChange }: JobSelectProps) {
  const { t } = useText();
  const known = jobs.map((job) => ({ value: job.name, label: job.label === "" ? job.name : job.label }));
  const data = value === null || known.some((job) => job.value === value) ? known : [{ value, label: value }, ...known];
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={data}
      value={value}
      onChange={onChange}
      renderOption={jobOption}
      clearable
      searchable
      nothingFoundMessage={loading ? t("web.loading") : t("web.filter.noSuchJob")}
      clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
    />
  );
}
