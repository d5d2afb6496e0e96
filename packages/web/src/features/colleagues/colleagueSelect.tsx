import { useState, type ReactNode } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Select } from "@mantine/core";
import { listColleagues } from "@rollcall/server/contract/colleagues";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { searchable } from "#ui/list.tsx";
import { fullName } from "./names.ts";

const OFFERED = 8;

interface ColleagueSelectProps {
  readonly label: string;
  readonly description?: string;
  readonly placeholder?: string;
  /** Where nobody matches what was typed. */
  readonly nobody: string;
  readonly value: number | null;
  readonly error?: ReactNode;
  /** Is not offered; the viewer if left out. */
  readonly except?: number;
  /** Offers only lower grades, the lowest first; left out for everybody. */
  readonly below?: number | undefined;
  onChange(id: number | null): void;
}

/** One of the others of the own job, found by name; requires the right to list them. */
export function ColleagueSelect(props: ColleagueSelectProps) {
  const { nobody, value, except, below, onChange, ...field } = props;
  const { t } = useText();
  const own = useActiveIdentity().character.id;
  const [chosen, setChosen] = useState<{ readonly id: number; readonly name: string } | null>(null);
  const [typed, setTyped] = useState("");
  const q = searchable(typed);
  const lower = below === undefined ? {} : { belowGrade: below };
  const usual = below === undefined ? {} : { order: "-rank" as const };
  const asked = q === "" || typed === chosen?.name ? usual : { q };
  // One more, for the one who is not offered.
  const query = useQuery({
    ...queryOf(listColleagues, { query: { limit: OFFERED + 1, ...lower, ...asked } }),
    placeholderData: keepPreviousData,
  });
  const found = (query.data?.items ?? [])
    .filter(({ id }) => id !== (except ?? own))
    .slice(0, OFFERED)
    .map((person) => ({ id: person.id, name: fullName(person) }));
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
      {...field}
      searchable
      // A dialog may begin with it, whose other fields the list would cover.
      openOnFocus={false}
      clearable
      filter={({ options }) => options}
      data={offered.map(({ id, name }) => ({ value: String(id), label: name }))}
      searchValue={typed}
      onSearchChange={setTyped}
      value={value === null ? null : String(value)}
      onChange={choose}
      nothingFoundMessage={query.isFetching ? t("web.loading") : nobody}
      clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
    />
  );
}
