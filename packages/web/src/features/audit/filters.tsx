import { useState } from "react";
import { Button, Select, TextInput, type ComboboxItem, type ComboboxItemGroup } from "@mantine/core";
import { IconDownload, IconX } from "@tabler/icons-react";
import { auditExport } from "@rollcall/server/contract/audit";
import { useText, type Translate } from "#core/i18n.ts";
import { tablet } from "#core/preferences.ts";
import { filtersOf } from "#core/search.ts";
import { JobFilter } from "#ui/jobFilter.tsx";
import { FilterBar, useTypedText } from "#ui/list.tsx";
import { ProblemNote } from "#ui/states.tsx";
import { Exports } from "#features/exports/exports.api.ts";
import { saveExport, useFacets } from "./audit.queries.ts";
import { type AuditFilters, type AuditSearch, queryOfFilters } from "./audit.search.ts";
import { actionText, featureText, kindText } from "./texts.ts";
import classes from "./audit.module.css";

const RESULTS = ["ok", "denied", "failed"] as const;

interface FiltersProps {
  readonly search: AuditSearch;
  onChange(next: AuditSearch): void;
  onInto(): void;
}

export function AuditFiltersBar({ search, onChange, onInto }: FiltersProps) {
  const { t } = useText();
  const filters = filtersOf(search);
  const put = (field: keyof AuditFilters, value: string | null) => {
    const { [field]: _old, ...rest } = filters;
    onChange(value ? { ...rest, [field]: value } : rest);
  };
  const { q: _q, ...set } = filters;
  return (
    <>
      <FilterBar
        label={t("audit.searchLabel")}
        query={search.q ?? ""}
        onQuery={(text) => put("q", text)}
        set={Object.keys(set).length}
        onClear={() => onChange({})}
        onInto={onInto}
      >
        <Further filters={filters} put={put} />
      </FilterBar>
      <Pinned filters={filters} onChange={onChange} />
      {!tablet && <AuditExports filters={filters} />}
    </>
  );
}

function Further({ filters, put }: { filters: AuditFilters; put: (field: keyof AuditFilters, value: string | null) => void }) {
  const { t } = useText();
  const facets = useFacets();
  const chosen = filters.action;
  const data = actionChoices(t, [...new Set([...(facets.data?.actions ?? []), ...(chosen === undefined ? [] : [chosen])])]);
  const [address, setAddress] = useTypedText(filters.address ?? "", (value) => put("address", value));
  const clear = { "aria-label": t("web.filter.clearText") };
  return (
    <>
      <Select
        label={t("audit.columns.action")}
        placeholder={t("audit.anyAction")}
        data={data}
        value={chosen ?? null}
        onChange={(value) => put("action", value)}
        clearable
        searchable
        nothingFoundMessage={facets.isPending ? t("web.loading") : t("audit.noSuchAction")}
        clearButtonProps={clear}
      />
      <Select
        label={t("audit.columns.result")}
        placeholder={t("audit.anyResult")}
        data={RESULTS.map((value) => ({ value, label: t(`audit.results.${value}`) }))}
        value={filters.result ?? null}
        onChange={(value) => put("result", value)}
        clearable
        clearButtonProps={clear}
      />
      <TextInput
        label={t("audit.from")}
        type="date"
        value={filters.from ?? ""}
        max={filters.to}
        onChange={(event) => put("from", event.currentTarget.value)}
      />
      <TextInput
        label={t("audit.to")}
        type="date"
        value={filters.to ?? ""}
        min={filters.from}
        onChange={(event) => put("to", event.currentTarget.value)}
      />
      <TextInput
        label={t("audit.columns.address")}
        value={address}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      {facets.data?.everyJob === true && (
        <JobFilter
          label={t("audit.columns.job")}
          placeholder={t("audit.anyJob")}
          value={filters.job ?? null}
          onChange={(value) => put("job", value)}
        />
      )}
    </>
  );
}

/** Actions by feature; each group begins with the whole feature and is sorted by text. */
function actionChoices(t: Translate, actions: readonly string[]): ComboboxItemGroup<ComboboxItem>[] {
  const features = [...new Set(actions.map((action) => action.split(".", 1)[0]!))];
  const byLabel = <T extends { label: string }>(items: T[]): T[] => items.toSorted((a, b) => a.label.localeCompare(b.label));
  return byLabel(features.map((feature) => ({ feature, label: featureText(t, feature) }))).map(({ feature, label }) => ({
    group: label,
    items: [
      { value: `${feature}.`, label: t("audit.everyActionOf", { feature: label }) },
      ...byLabel(
        actions
          .filter((action) => action.startsWith(`${feature}.`) && !action.endsWith("."))
          .map((value) => ({ value, label: actionText(t, value) })),
      ),
    ],
  }));
}

/** Filters set by links, each with a button that removes it. */
function Pinned({ filters, onChange }: { filters: AuditFilters; onChange: (next: AuditFilters) => void }) {
  const { t } = useText();
  const { kind, object, account, character, targetKind, target, ...rest } = filters;
  const pins: (readonly [string, AuditFilters] | false)[] = [
    kind !== undefined && [
      `${kindText(t, kind)} ${object ?? ""}`,
      { ...rest, ...given({ account, character, targetKind, target }) },
    ],
    character !== undefined && [
      t("audit.by", { who: `CIT-${character}` }),
      { ...rest, ...given({ kind, object, account, targetKind, target }) },
    ],
    account !== undefined && [
      t("audit.by", { who: `${kindText(t, "account")} ${account}` }),
      { ...rest, ...given({ kind, object, character, targetKind, target }) },
    ],
    target !== undefined && [
      t("audit.about", { who: targetKind === "citizen" ? `CIT-${target}` : `${kindText(t, "account")} ${target}` }),
      { ...rest, ...given({ kind, object, account, character }) },
    ],
  ];
  const shown = pins.filter((pin) => pin !== false);
  if (shown.length === 0) return null;
  return (
    <div className={classes["pins"]}>
      {shown.map(([label, next]) => (
        <Button
          key={label}
          size="compact-sm"
          variant="default"
          rightSection={<IconX size={13} aria-hidden />}
          aria-label={t("audit.drop", { filter: label })}
          onClick={() => onChange(next)}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

function given(filters: { [K in keyof AuditFilters]: AuditFilters[K] | undefined }): AuditFilters {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

function AuditExports({ filters }: { filters: AuditFilters }) {
  const { t } = useText();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async () => {
    setBusy(true);
    setError(null);
    await saveExport(filters).catch(setError);
    setBusy(false);
  };
  return (
    <>
      <div className={classes["exports"]} role="group" aria-label={t("audit.export")}>
        <span>{t("audit.export")}</span>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={14} aria-hidden />}
          loading={busy}
          onClick={() => void save()}
        >
          JSON
        </Button>
        <Exports kind={auditExport} filter={queryOfFilters(filters)} />
      </div>
      {error !== null && <ProblemNote error={error} />}
    </>
  );
}
