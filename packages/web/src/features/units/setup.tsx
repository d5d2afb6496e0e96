import { useMemo, useState, type ReactNode } from "react";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { IconArrowLeft, IconPlus } from "@tabler/icons-react";
import {
  type CustomStatus,
  listStatuses,
  listUnits,
  orderStatuses,
  orderUnits,
  putRules,
  removeStatus,
  removeUnit,
  restoreStatus,
  restoreUnit,
  type Unit,
  type UnitRules,
  unitsPermissions,
} from "@rollcall/server/contract/units";
import contract from "virtual:form/units/putRules";
import { useWorkedJob } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { api } from "#core/services.ts";
import { ActionList } from "#ui/actionList.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { NumberField, SwitchField } from "#ui/formFields.tsx";
import { Guard } from "#ui/guard.tsx";
import { RowActions, type RowCalls, useRowChanges } from "#ui/orderedRows.tsx";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import type { AccessProps } from "./accessDialog.tsx";
import type { EditorProps } from "./editor.tsx";
import { StatusTag } from "./statusTag.tsx";
import type { StatusEditorProps } from "./statusEditor.tsx";
import { useStatuses, useUnits } from "./units.queries.ts";
import classes from "./units.module.css";

const Editor = part<EditorProps>(["units", "fields"], () => import("./editor.tsx"));
const AccessDialog = part<AccessProps>(["units"], () => import("./accessDialog.tsx"));
const StatusEditor = part<StatusEditorProps>(["units", "fields"], () => import("./statusEditor.tsx"));

/** The units of the own job, its statuses and rules, for those who set them up. */
export default function SetupPage() {
  const { t } = useText();
  return (
    <Guard permission={unitsPermissions.manage}>
      <PanelPage
        title={t("units.setup.title")}
        lead={t("units.setup.lead")}
        actions={
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/units" {...props} />}
          >
            {t("units.title")}
          </Button>
        }
      >
        <Units />
        <Statuses />
      </PanelPage>
    </Guard>
  );
}

function Units() {
  const { t } = useText();
  const query = useUnits(true);
  const queries = useQueryClient();
  const job = useWorkedJob();
  const [edited, setEdited] = useState<Unit | "new" | null>(null);
  const [listed, setListed] = useState<Unit | null>(null);
  const items = (query.data?.items ?? []).filter((unit) => unit.job.name === job);
  const calls: RowCalls = {
    order: async (ids) => await api.call(orderUnits, { body: { ids: [...ids] } }),
    remove: async (id) => await api.call(removeUnit, { params: { id } }),
    restore: async (id) => await api.call(restoreUnit, { params: { id } }),
    read: async () => await queries.invalidateQueries({ queryKey: [listUnits.id] }),
  };
  const about = (unit: Unit) => (
    <>
      <strong>{unit.name}</strong>
      <span className={classes["quiet"]}>
        {[unit.callsign ?? unit.initials, t("units.crewRange", { least: unit.minCrew, most: unit.maxCrew }), ...unit.tags].join(
          " · ",
        )}
      </span>
      {!unit.deleted && (
        <Button
          size="compact-sm"
          variant="subtle"
          aria-haspopup="dialog"
          aria-label={t("units.access.openNamed", {
            text: t(unit.restricted ? "units.access.mark" : "units.access.open"),
            name: unit.name,
          })}
          data-access={unit.id}
          onClick={() => setListed(unit)}
        >
          {t(unit.restricted ? "units.access.mark" : "units.access.open")}
        </Button>
      )}
    </>
  );
  return (
    <>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "80%", "50%"]} />}
      {query.data && (
        <Rows
          kind="units"
          rows={items}
          calls={calls}
          about={about}
          onEdit={(row) => setEdited(row)}
          onNew={() => setEdited("new")}
        />
      )}
      {listed !== null && <AccessDialog unit={listed} onClose={() => setListed(null)} />}
      {edited !== null && <Editor unit={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
    </>
  );
}

function Statuses() {
  const { t } = useText();
  const query = useStatuses(true);
  const queries = useQueryClient();
  const [edited, setEdited] = useState<CustomStatus | "new" | null>(null);
  const calls: RowCalls = {
    order: async (ids) => await api.call(orderStatuses, { body: { ids: [...ids] } }),
    remove: async (id) => await api.call(removeStatus, { params: { id } }),
    restore: async (id) => await api.call(restoreStatus, { params: { id } }),
    read: async () => await queries.invalidateQueries({ queryKey: [listStatuses.id] }),
  };
  const about = (status: CustomStatus) => (
    <>
      <StatusTag status={status} />
      <span className={classes["quiet"]}>{t("units.setup.behaves", { base: t(`units.bases.${status.base}`) })}</span>
    </>
  );
  if (query.isError) return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (!query.data) return null;
  return (
    <>
      <Rows
        kind="statuses"
        rows={query.data.items}
        calls={calls}
        about={about}
        onEdit={(row) => setEdited(row)}
        onNew={() => setEdited("new")}
      />
      <PanelSection title={t("units.rules.title")} lead={t("units.rules.lead")}>
        <RulesForm rules={query.data.rules} />
      </PanelSection>
      {edited !== null && <StatusEditor status={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
    </>
  );
}

interface Row {
  readonly id: number;
  readonly name: string;
  readonly deleted: boolean;
}

interface RowsProps<R extends Row> {
  readonly kind: "units" | "statuses";
  readonly rows: readonly R[];
  readonly calls: RowCalls;
  about(row: R): ReactNode;
  onEdit(row: R): void;
  onNew(): void;
}

/** Rows in their order, those that were removed below, and the way to the first one. */
function Rows<R extends Row>({ kind, rows, calls, about, onEdit, onNew }: RowsProps<R>) {
  const { t } = useText();
  const { announcement, move, remove, restore } = useRowChanges(calls);
  const [live, deleted] = [rows.filter((one) => !one.deleted), rows.filter((one) => one.deleted)];
  return (
    <PanelSection title={t(`units.setup.${kind}`)} lead={t(`units.setup.${kind}Lead`)}>
      <div className={classes["actions"]} data-new={kind}>
        <Button variant="default" leftSection={<IconPlus size={16} />} aria-haspopup="dialog" onClick={onNew}>
          {t(`units.setup.${kind}New`)}
        </Button>
      </div>
      <ActionList label={t(`units.setup.${kind}`)} announcement={announcement}>
        {live.length === 0 && <p className={classes["quiet"]}>{t(`units.setup.${kind}None`)}</p>}
        <ul className={classes["list"]}>
          {[...live, ...deleted].map((row, at) => (
            <li key={row.id}>
              <div className={classes["about"]}>
                {about(row)}
                {row.deleted && <span className={classes["quiet"]}>{t("units.setup.deleted")}</span>}
              </div>
              <span className={classes["actions"]}>
                <RowActions
                  deleted={row.deleted}
                  isFirst={at === 0}
                  isLast={at === live.length - 1}
                  names={{
                    up: t("units.setup.up", { name: row.name }),
                    down: t("units.setup.down", { name: row.name }),
                    edit: t("units.setup.edit", { name: row.name }),
                    remove: t("units.setup.remove", { name: row.name }),
                    restore: t("units.setup.restore"),
                    restoreNamed: t("units.setup.restoreNamed", { name: row.name }),
                  }}
                  onMove={(step) => void move(live, at, step, t("units.setup.moved"))}
                  onEdit={() => onEdit(row)}
                  onRemove={() =>
                    void remove(
                      row.id,
                      t("units.setup.removed", { name: row.name }),
                      t("units.setup.restored", { name: row.name }),
                    )
                  }
                  onRestore={() => void restore(row.id, t("units.setup.restored", { name: row.name }))}
                />
              </span>
            </li>
          ))}
        </ul>
      </ActionList>
    </PanelSection>
  );
}

interface RuleValues extends Record<string, unknown> {
  readonly returns: boolean;
  readonly selfJoin: boolean;
  /** An empty field is a text. */
  readonly longMinutes: number | string | null;
  readonly aloneMinutes: number | string | null;
}

const valuesOf = ({ returns, selfJoin, longMinutes, aloneMinutes }: UnitRules): RuleValues => {
  return { returns, selfJoin, longMinutes, aloneMinutes };
};

const minutesOf = (value: number | string | null) => (typeof value === "number" ? value : null);

function RulesForm({ rules }: { readonly rules: UnitRules }) {
  const { t } = useText();
  const queries = useQueryClient();
  const stored = useMemo(() => ({ version: rules.version, values: valuesOf(rules) }), [rules]);
  const form = useContractForm<RuleValues>({
    contract,
    fields: {
      returns: { label: t("units.rules.returns") },
      selfJoin: { label: t("units.rules.selfJoin") },
      longMinutes: { label: t("units.rules.longMinutes") },
      aloneMinutes: { label: t("units.rules.aloneMinutes") },
    },
    stored,
    async save({ returns, selfJoin, longMinutes, aloneMinutes }, version) {
      const minutes = { longMinutes: minutesOf(longMinutes), aloneMinutes: minutesOf(aloneMinutes) };
      await api.call(putRules, { body: { version, returns, selfJoin, ...minutes } });
    },
    async read() {
      const { rules: now } = await api.call(listStatuses);
      return { version: now.version, values: valuesOf(now) };
    },
    saved: () => void queries.invalidateQueries({ queryKey: [listStatuses.id] }),
  });
  return (
    <Form form={form} className={classes["form"]}>
      <SwitchField at="returns" />
      <SwitchField at="selfJoin" />
      <div className={classes["two"]}>
        <NumberField at="longMinutes" description={t("units.rules.off")} />
        <NumberField at="aloneMinutes" description={t("units.rules.off")} />
      </div>
      <FormBar save={t("web.form.save")} />
    </Form>
  );
}
