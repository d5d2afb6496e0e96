import { useState } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Select } from "@mantine/core";
import { listCitizens } from "@rollcall/server/contract/citizens";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { searchable } from "#ui/list.tsx";

const OFFERED = 8;

export interface CitizenSelectProps {
  readonly label: string;
  /** Offers only members of this job; requires the right to see jobs in the list of citizens. */
  readonly job?: string | undefined;
  readonly value: { readonly id: number; readonly name: string } | null;
  onChange(citizen: { readonly id: number; readonly name: string } | null): void;
}

/** Selects a citizen by name; requires the right to list citizens. */
export function CitizenSelect({ label, job, value, onChange }: CitizenSelectProps) {
  const { t } = useText();
  const [typed, setTyped] = useState(value?.name ?? "");
  const q = searchable(typed);
  const query = useQuery({
    ...queryOf(listCitizens, { query: { q, limit: OFFERED, ...(job === undefined ? {} : { job }) } }),
    enabled: q !== "" && typed !== value?.name,
    placeholderData: keepPreviousData,
  });
  const found = (query.data?.items ?? []).map(({ id, firstName, lastName }) => ({ id, name: `${firstName} ${lastName}`.trim() }));
  const offered = value && !found.some(({ id }) => id === value.id) ? [value, ...found] : found;
  return (
    <Select
      label={label}
      placeholder={t("citizens.pick")}
      searchable
      // A dialog may begin with it: nobody is found before something was typed, and the list would cover other fields.
      openOnFocus={false}
      clearable
      filter={({ options }) => options}
      data={offered.map(({ id, name }) => ({ value: String(id), label: `${name} (CIT-${id})` }))}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value ? String(value.id) : null}
      onChange={(id) => onChange(offered.find((one) => String(one.id) === id) ?? null)}
      nothingFoundMessage={q === "" ? t("citizens.pickHint") : query.isFetching ? t("web.loading") : t("citizens.pickNone")}
      clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
    />
  );
}
