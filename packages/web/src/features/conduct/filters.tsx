import { Select } from "@mantine/core";
import { colleaguesPermissions } from "@rollcall/server/contract/colleagues";
import { entryFilters } from "@rollcall/server/contract/conduct";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { ColleagueSelect } from "#features/colleagues/colleagues.api.ts";
import { useKinds } from "./conduct.queries.ts";
import type { ConductSearch } from "./conduct.search.ts";
import classes from "./conduct.module.css";

interface FiltersProps {
  readonly search: ConductSearch;
  onChange(next: ConductSearch): void;
}

/** Whom, what and in which state the list shows. */
export function Filters({ search, onChange }: FiltersProps) {
  const { t } = useText();
  const kinds = useKinds().data?.items ?? [];
  const listsPeople = useAbilities().has(colleaguesPermissions.list);
  const set = (name: "person" | "kind" | "state", value: string | null) => {
    const { [name]: _former, ...rest } = search;
    onChange(value === null ? rest : { ...rest, [name]: value });
  };
  const clear = { "aria-label": t("web.filter.clearText") };
  return (
    <div className={classes["filters"]}>
      {listsPeople && (
        <ColleagueSelect
          label={t("conduct.person")}
          placeholder={t("conduct.filters.anybody")}
          nobody={t("conduct.nobody")}
          value={search.person === undefined ? null : Number(search.person)}
          onChange={(id) => set("person", id === null ? null : String(id))}
        />
      )}
      <Select
        label={t("conduct.kind")}
        placeholder={t("conduct.filters.anyKind")}
        data={kinds.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={search.kind ?? null}
        onChange={(id) => set("kind", id)}
        clearable
        clearButtonProps={clear}
      />
      <Select
        label={t("conduct.state")}
        placeholder={t("conduct.filters.anyState")}
        data={entryFilters.map((value) => ({ value, label: t(`conduct.states.${value}`) }))}
        value={search.state ?? null}
        onChange={(state) => set("state", state)}
        clearable
        clearButtonProps={clear}
      />
    </div>
  );
}
