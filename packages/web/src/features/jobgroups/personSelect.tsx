import { useState } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Button, Select } from "@mantine/core";
import { colleaguesPermissions, listColleagues } from "@rollcall/server/contract/colleagues";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { fullName } from "#features/colleagues/colleagues.api.ts";
import { searchable } from "#ui/list.tsx";
import { RightHint } from "#ui/states.tsx";
import classes from "./jobgroups.module.css";

export interface ChosenPerson {
  readonly id: number;
  readonly name: string;
}

interface PersonSelectProps {
  readonly label: string;
  /** The button that does it. */
  readonly submit: string;
  onChosen(person: ChosenPerson): unknown;
}

const OFFERED = 8;

/** Somebody of the own job, found by name, and a button; requires the right to list them. */
export function PersonSelect(props: PersonSelectProps) {
  const { t } = useText();
  if (!useAbilities().has(colleaguesPermissions.list))
    return <RightHint permission={colleaguesPermissions.list.id} text={t("jobgroups.people.hidden")} />;
  return <Picker {...props} />;
}

function Picker({ label, submit, onChosen }: PersonSelectProps) {
  const { t } = useText();
  const [chosen, setChosen] = useState<ChosenPerson | null>(null);
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const q = searchable(typed);
  const query = useQuery({
    ...queryOf(listColleagues, { query: { limit: OFFERED, ...(q === "" || typed === chosen?.name ? {} : { q }) } }),
    placeholderData: keepPreviousData,
  });
  const found = (query.data?.items ?? []).map((person) => ({ id: person.id, name: fullName(person) }));
  const offered = chosen !== null && !found.some(({ id }) => id === chosen.id) ? [chosen, ...found] : found;
  const run = async () => {
    if (chosen === null) return;
    setBusy(true);
    await onChosen(chosen);
    setBusy(false);
    setChosen(null);
    setTyped("");
  };
  return (
    <div className={classes["picker"]} data-screen-only>
      <Select
        label={label}
        searchable
        clearable
        filter={({ options }) => options}
        data={offered.map(({ id, name }) => ({ value: String(id), label: name }))}
        searchValue={typed}
        onSearchChange={setTyped}
        value={chosen === null ? null : String(chosen.id)}
        onChange={(id) => setChosen(offered.find((one) => String(one.id) === id) ?? null)}
        nothingFoundMessage={query.isFetching ? t("web.loading") : t("jobgroups.people.nobody")}
        clearButtonProps={{ "aria-label": t("web.filter.clearText") }}
      />
      <Button variant="default" disabled={chosen === null} loading={busy} onClick={() => void run()}>
        {submit}
      </Button>
    </div>
  );
}
