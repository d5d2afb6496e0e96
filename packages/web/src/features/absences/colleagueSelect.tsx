import { useState, type ReactNode } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Select } from "@mantine/core";
import { listColleagues } from "@rollcall/server/contract/colleagues";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { searchable } from "#ui/list.tsx";

const OFFERED = 8;

interface ColleagueSelectProps {
  readonly label: string;
  readonly description: string;
  readonly value: number | null;
  /** Is not offered: nobody substitutes for themselves. */
  readonly except: number;
  readonly error: ReactNode;
  onChange(id: number | null): void;
}

/** One of the own job, found by name; requires the right to list them. */
export function ColleagueSelect({ label, description, value, except, error, onChange }: ColleagueSelectProps) {
  const { t } = useText();
  const [chosen, setChosen] = useState<{ readonly id: number; readonly name: string } | null>(null);
  const [typed, setTyped] = useState("");
  const q = searchable(typed);
  const query = useQuery({
    ...queryOf(listColleagues, { query: { limit: OFFERED, ...(q === "" || typed === chosen?.name ? {} : { q }) } }),
    placeholderData: keepPreviousData,
  });
  const found = (query.data?.items ?? []).filter(({ id }) => id !== except).map(({ id, name }) => ({ id, name }));
  const kept =
    value !== null && !found.some(({ id }) => id === value) ? [{ id: value, name: chosen?.name ?? `CIT-${value}` }] : [];
  const offered = [...kept, ...found];
  const choose = (id: string | null) => {
    const person = offered.find((one) => String(one.id) === id) ?? null;
    setChosen(person);
    onChange(person?.id ?? null);
  };
  return (
    <Select
      label={label}
      description={description}
      error={error}
      searchable
      clearable
      filter={({ options }) => options}
      data={offered.map(({ id, name }) => ({ value: String(id), label: name }))}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value === null ? null : String(value)}
      onChange={choose}
      nothingFoundMessage={query.isFetching ? t("web.loading") : t("absences.ask.nobody")}
      clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
    />
  );
}
