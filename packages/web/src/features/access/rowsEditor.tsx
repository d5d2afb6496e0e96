import { useState } from "react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Checkbox, MultiSelect } from "@mantine/core";
import { attributeRows } from "@rollcall/server/contract/access";
import { everyRow } from "@rollcall/server/contract/core";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { ProblemNote } from "#ui/states.tsx";
import { rowName } from "./grants.ts";
import { useRowLabels } from "./naming.tsx";
import own from "./attributes.module.css";

const OFFERED = 20;

interface RowsEditorProps {
  readonly name: string;
  readonly source: string;
  readonly value: readonly string[];
  onChange(value: readonly string[]): void;
}

/** The rows that an attribute names, found by typing a part of their label; or every row. */
export function RowsEditor({ name, source, value, onChange }: RowsEditorProps) {
  const { t } = useText();
  const stored = useRowLabels(source);
  const [typed, setTyped] = useState("");
  // Labels of rows that were chosen here and are not saved yet.
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const every = value.includes(everyRow);
  const query = useQuery({
    ...queryOf(attributeRows, { params: { source }, query: { q: typed.trim().slice(0, 64), limit: OFFERED } }),
    enabled: !every,
    placeholderData: keepPreviousData,
  });
  const found = query.data?.items ?? [];
  const labels = { ...stored, ...chosen };
  const data = [
    ...value.filter((id) => !found.some((row) => row.id === id)).map((id) => ({ value: id, label: rowName(t, labels, id) })),
    ...found.map(({ id, label }) => ({ value: id, label })),
  ];
  const choose = (ids: readonly string[]) => {
    setChosen({
      ...chosen,
      ...Object.fromEntries(found.filter(({ id }) => ids.includes(id)).map(({ id, label }) => [id, label])),
    });
    onChange(ids);
  };
  return (
    <div className={own["rows"]}>
      <Checkbox
        size="xs"
        label={t("access.everyRowText")}
        checked={every}
        onChange={(event) => onChange(event.currentTarget.checked ? [everyRow] : [])}
      />
      {!every && (
        <MultiSelect
          aria-label={name}
          size="xs"
          placeholder={t("access.findRow")}
          searchable
          searchValue={typed}
          onSearchChange={setTyped}
          filter={({ options }) => options}
          data={data}
          value={[...value]}
          onChange={choose}
          nothingFoundMessage={query.isFetching ? t("web.loading") : t("access.noRow")}
        />
      )}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
    </div>
  );
}
