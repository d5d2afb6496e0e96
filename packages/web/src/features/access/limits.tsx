import { useMemo, useState } from "react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useQuery, useQueryClient, type QueryClient } from "@tanstack/react-query";
import { Button, Checkbox, Select, Switch, TextInput } from "@mantine/core";
import { IconHistory, IconSearch, IconShieldHalf } from "@tabler/icons-react";
import {
  accessCatalogue,
  getLimits,
  limitsHistory,
  listLimits,
  putLimits,
  undoLimits,
  type JobLimits,
  type RoleGrant,
} from "@rollcall/server/contract/access";
import type { OutputOf } from "@rollcall/server/contract/core";
import { useActiveIdentity } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { useJobs } from "#core/jobs.tsx";
import { hasNothing, queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { permissionName } from "#core/messages.ts";
import { offerUndo } from "#ui/confirm.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { OwnField } from "#ui/formFields.tsx";
import { JobTag } from "#ui/small.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { AdminModeNeeded } from "./adminMode.tsx";
import { savedText } from "./affected.ts";
import { AttributeEditor } from "./attributes.tsx";
import { anything, fieldOf, fromFields, intoFields } from "./fields.ts";
import { changesOfLimits, firstValue, limitsOf, type Catalogue, type Permission } from "./grants.ts";
import { HistoryDialog } from "./history.tsx";
import { RowNames, useGrantText } from "./naming.tsx";
import { PermissionList } from "./permissions.tsx";
import { SideItem } from "./sideItem.tsx";
import classes from "./access.module.css";

export default function LimitsPage() {
  const { t } = useText();
  const { jobAdmin } = useActiveIdentity();
  const navigate = useNavigate();
  const { job } = useSearch({ strict: false }) as { job?: string };
  const list = useQuery({ ...queryOf(listLimits, {}), enabled: jobAdmin !== null });
  const [text, setText] = useState("");
  if (jobAdmin === null) return <AdminModeNeeded page title={t("access.limits.title")} text={t("access.adminMode.limits")} />;
  const shown = (list.data?.jobs ?? []).filter((one) => `${one.job} ${one.label}`.toLowerCase().includes(text.toLowerCase()));
  return (
    <div className={classes["page"]}>
      <div className={classes["head"]}>
        <h1>{t("access.limits.title")}</h1>
        <span className={classes["quiet"]}>{t("access.limits.text")}</span>
      </div>
      {list.isError && <ProblemNote error={list.error} onRetry={() => void list.refetch()} />}
      <div className={classes["columns"]}>
        <nav className={classes["side"]} data-sideways aria-label={t("access.limits.jobs")}>
          <TextInput
            aria-label={t("access.limits.find")}
            placeholder={t("access.limits.find")}
            leftSection={<IconSearch size={15} />}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {list.isPending && <Bars widths={["80%", "70%", "85%"]} />}
          {shown.map((one) => (
            <SideItem
              key={one.job}
              current={one.job === job}
              onOpen={() => void navigate({ to: "/panel/limits", search: { job: one.job } })}
              title={<JobTag job={{ name: one.job, label: one.label }} />}
              text={
                one.permissions === null ? t("access.limits.unlimited") : t("access.limits.count", { count: one.permissions })
              }
            />
          ))}
        </nav>
        <div className={`rc-room ${classes["main"]}`}>
          {job === undefined ? (
            <EmptyState icon={IconShieldHalf} title={t("access.limits.pick")} text={t("access.limits.pickText")} />
          ) : (
            <LimitsOfJob key={job} job={job} />
          )}
        </div>
      </div>
    </div>
  );
}

interface Values {
  readonly [field: string]: unknown;
  readonly limited: boolean;
  readonly limits: Readonly<Record<string, unknown>>;
}

const limitsIn = ({ limited, limits }: Values): JobLimits | null => (limited ? (fromFields(limits) as JobLimits) : null);
const valuesOf = (limits: JobLimits | null): Values => ({ limited: limits !== null, limits: intoFields(limits ?? {}) });

function LimitsOfJob({ job }: { job: string }) {
  const stored = useQuery(queryOf(getLimits, { params: { job } }));
  const catalogue = useQuery({ ...queryOf(accessCatalogue, {}), staleTime: 300_000 });
  if (hasNothing(stored)) return <ProblemNote error={stored.error} onRetry={() => void stored.refetch()} />;
  if (!stored.data || !catalogue.data) return <Bars widths={["40%", "90%", "80%", "85%"]} />;
  return (
    <RowNames permissions={catalogue.data.permissions} labels={stored.data.labels}>
      <LimitsForm job={job} stored={stored.data} catalogue={catalogue.data} />
    </RowNames>
  );
}

interface LimitsFormProps {
  readonly job: string;
  readonly stored: OutputOf<typeof getLimits>;
  readonly catalogue: Catalogue;
}

function useLimitsForm({ job, stored: { version, limits }, catalogue }: LimitsFormProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const textOf = useGrantText("access.limits.said");
  const params = { job };
  const show = (id: string) => (attributes: unknown) =>
    textOf(id, attributes === undefined ? null : { allow: true, attributes: attributes as RoleGrant["attributes"] });
  const permissions = catalogue.permissions.map(
    ({ id }) => [`limits.${fieldOf(id)}`, { label: permissionName(t, id), show: show(id) }] as const,
  );
  return useContractForm<Values>({
    contract: anything,
    fields: { limited: { label: t("access.limits.limited") }, ...Object.fromEntries(permissions) },
    stored: useMemo(() => ({ version, values: valuesOf(limits) }), [version, limits]),
    draft: `access.limits.${job}`,
    async save(values, base) {
      const { version: now, affected } = await api.call(putLimits, { params, body: { version: base, limits: limitsIn(values) } });
      if (now !== base) offerUndo(t, { title: savedText(t, affected), undo: async () => await undoChange(queries, job, now) });
    },
    async read() {
      const now = await api.call(getLimits, { params });
      return { version: now.version, values: valuesOf(now.limits) };
    },
    saved: async () => await readAgain(queries),
  });
}

function LimitsForm(props: LimitsFormProps) {
  const { t } = useText();
  const { job, stored, catalogue } = props;
  const form = useLimitsForm(props);
  return (
    <Form form={form} className={classes["editor"]} label={stored.label} inSearch>
      <OwnField<boolean> at="limited">
        {({ value: limited, set: setLimited }) => (
          <OwnField<Values["limits"]> at="limits">
            {({ value, set }) => {
              const edit = (next: JobLimits | null) => {
                setLimited(next !== null);
                set(intoFields(next ?? {}));
              };
              const limits = limitsIn({ limited, limits: value });
              return (
                <>
                  <header className={classes["editorHead"]}>
                    <h2>
                      <JobTag job={{ name: job, label: stored.label }} />
                    </h2>
                    <div className={classes["tools"]}>
                      <Presets catalogue={catalogue} onChoose={edit} />
                      <HistoryOfJob job={job} />
                    </div>
                  </header>
                  <Switch
                    label={t("access.limits.limited")}
                    description={t("access.limits.limitedText")}
                    checked={limited}
                    onChange={(event) => edit(event.currentTarget.checked ? everything(catalogue) : null)}
                  />
                  {limits !== null && (
                    <PermissionList permissions={catalogue.permissions}>
                      {(permission) => <LimitRow key={permission.id} permission={permission} limits={limits} onChange={edit} />}
                    </PermissionList>
                  )}
                </>
              );
            }}
          </OwnField>
        )}
      </OwnField>
      <FormBar />
    </Form>
  );
}

/** Reloads the data of the page after a change. */
async function readAgain(queries: QueryClient): Promise<void> {
  await Promise.all([getLimits.id, listLimits.id].map(async (id) => await queries.invalidateQueries({ queryKey: [id] })));
}

async function undoChange(queries: QueryClient, job: string, version: number): Promise<void> {
  try {
    await api.call(undoLimits, { params: { job, version } });
  } finally {
    await readAgain(queries);
  }
}

function HistoryOfJob({ job }: { job: string }) {
  const { t } = useText();
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const params = { job };
  const read = async () => {
    const { revisions, labels } = await api.call(limitsHistory, { params });
    return {
      labels,
      revisions: revisions.map(({ limited, changes, ...revision }) => ({
        ...revision,
        ...(limited.before === limited.after ? {} : { note: `access.limits.${limited.after ? "wasLimited" : "wasLifted"}` }),
        changes: changesOfLimits(changes),
      })),
    };
  };
  const undo = async (version: number) => await undoChange(queries, job, version);
  const empty = t("access.limits.neverChanged");
  return (
    <>
      <Button variant="default" leftSection={<IconHistory size={15} />} onClick={() => setOpen(true)}>
        {t("access.history.open")}
      </Button>
      {open && (
        <HistoryDialog
          history={{ key: [limitsHistory.id, params], read, undo, empty, choiceTexts: "access.limits.said" }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

const everything = ({ permissions }: Catalogue): JobLimits => Object.fromEntries(permissions.map(({ id }) => [id, {}]));

function Presets({ catalogue, onChoose }: { catalogue: Catalogue; onChoose: (limits: JobLimits) => void }) {
  const { t } = useText();
  const data = [
    { value: "everything", label: t("access.limits.everything") },
    { value: "nothing", label: t("access.limits.nothing") },
    ...catalogue.bundles.map(({ name }) => ({ value: name, label: t(`access.bundles.${name}`) })),
  ];
  const choose = (value: string | null) => {
    if (value === "everything") onChoose(everything(catalogue));
    else if (value !== null) onChoose(limitsOf(catalogue.bundles.find(({ name }) => name === value)?.grants ?? {}));
  };
  return (
    <Select
      aria-label={t("access.limits.preset")}
      placeholder={t("access.limits.preset")}
      data={data}
      value={null}
      onChange={choose}
    />
  );
}

function LimitRow(props: { permission: Permission; limits: JobLimits; onChange: (limits: JobLimits) => void }) {
  const { t } = useText();
  const { permission, limits, onChange } = props;
  const jobs = useJobs();
  const values = limits[permission.id];
  const { [permission.id]: _gone, ...others } = limits;
  return (
    <div className={classes["row"]}>
      <Checkbox
        className={classes["text"] ?? ""}
        label={permissionName(t, permission.id)}
        checked={values !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked ? { ...limits, [permission.id]: {} } : others)}
      />
      {values !== undefined && permission.attributes.length > 0 && (
        <div className={classes["attributes"]}>
          {permission.attributes.map((attribute) => (
            <AttributeEditor
              key={attribute.name}
              permission={permission.id}
              feature={permission.feature}
              attribute={attribute}
              jobs={jobs.data?.jobs ?? []}
              readOnly={false}
              value={values[attribute.name]}
              otherwise={t("access.limits.anyValue")}
              initial={attribute.values.length > 0 ? [...attribute.values] : firstValue(attribute)}
              onChange={(value) => {
                const { [attribute.name]: _old, ...rest } = values;
                onChange({ ...limits, [permission.id]: value === undefined ? rest : { ...rest, [attribute.name]: value } });
              }}
            />
          ))}
        </div>
      )}
    </div>
  );
}
