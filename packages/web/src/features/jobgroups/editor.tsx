import { lazy, Suspense, useMemo, useRef } from "react";
import { ColorInput, MultiSelect, Select } from "@mantine/core";
import {
  createGroup,
  getGroup,
  type GroupContent,
  type GroupRule,
  jobgroupsLimits,
  membershipKinds,
  putGroup,
  type WholeGroup,
} from "@rollcall/server/contract/jobgroups";
import contract from "virtual:form/jobgroups/createGroup";
import { useActiveIdentity } from "#core/abilities.ts";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { loadIconPicker } from "#features/icons/icons.api.ts";
import { jobColour } from "#ui/accent.ts";
import { Dialog } from "#ui/dialog.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { useFormValue } from "#ui/formContext.ts";
import { AreaField, OwnField, TextField } from "#ui/formFields.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { useGroup, useGroups, useReadAgain } from "./jobgroups.queries.ts";
import { RuleFields } from "./ruleFields.tsx";
import classes from "./jobgroups.module.css";

const IconPicker = lazy(loadIconPicker);

export interface EditorProps {
  /** Null for a new one. */
  readonly group: number | null;
  onSaved?(group: WholeGroup): void;
  onClose(): void;
}

type Values = GroupContent & Record<string, unknown>;

const fresh = (colour: string): Values => ({
  ...{ name: "", short: "", description: "", colour, icon: null },
  ...{ membership: "hand", rules: [], contains: [] },
});

function valuesOf({ name, short, description, colour, icon, membership, rules = [], contains }: WholeGroup): Values {
  const sent = rules.map(({ kind, id, from, to }) => ({ kind, id, from, to }));
  return { name, short, description, colour, icon, membership, rules: sent, contains: contains.map(({ id }) => id) };
}

/** Creates or changes a group of the own job. */
export default function Editor({ group, onSaved, onClose }: EditorProps) {
  const { t } = useText();
  const close = useRef<() => void>(onClose);
  const props = { onClose, ...(onSaved ? { onSaved } : {}), askFirst: (leave: () => void) => void (close.current = leave) };
  return (
    <Dialog title={t(group === null ? "jobgroups.new" : "jobgroups.edit")} onClose={() => close.current()}>
      {group === null ? <GroupForm group={null} {...props} /> : <Loaded id={group} {...props} />}
    </Dialog>
  );
}

interface FormProps extends Omit<EditorProps, "group"> {
  readonly group: WholeGroup | null;
  /** Gets what to do when the dialog is closed. */
  askFirst(leave: () => void): void;
}

function Loaded({ id, ...props }: Omit<FormProps, "group"> & { readonly id: number }) {
  const query = useGroup(id);
  if (query.isError) return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (query.data === undefined) return <Bars widths={["70%", "100%", "60%"]} />;
  return <GroupForm group={query.data} {...props} />;
}

const names = ["name", "short", "description", "membership", "rules", "contains", "colour", "icon"] as const;
const refusals = {
  "jobgroups.nameTaken": "name",
  "jobgroups.ruleUnknown": "rules",
  "jobgroups.gradesWrong": "rules",
  "jobgroups.circle": "contains",
  "jobgroups.tooDeep": "contains",
} as const;

function GroupForm({ group, onSaved, onClose, askFirst }: FormProps) {
  const { t } = useText();
  const read = useReadAgain();
  const id = group?.id ?? null;
  const job = useActiveIdentity().character.job.name;
  const stored = useMemo(
    () => ({ version: group?.version ?? 0, values: group === null ? fresh(jobColour(job)) : valuesOf(group) }),
    [group, job],
  );
  const made = useRef<WholeGroup | null>(null);
  const form = useContractForm<Values>({
    contract,
    fields: Object.fromEntries(names.map((name) => [name, { label: t(`jobgroups.form.${name}`) }])),
    stored,
    draft: `jobgroup.${id ?? "new"}`,
    refusals,
    async save(values, version) {
      made.current =
        id === null
          ? await api.call(createGroup, { body: values })
          : await api.call(putGroup, { params: { id }, body: { ...values, version } });
    },
    async read() {
      if (id === null) return stored;
      const now = await api.call(getGroup, { params: { id } });
      return { version: now.version, values: valuesOf(now) };
    },
    saved() {
      void read();
      onClose();
      if (made.current !== null) onSaved?.(made.current);
    },
  });
  const leave = () => form.model.leave(onClose);
  askFirst(leave);
  return (
    <Form form={form} className={classes["form"]}>
      <TextField at="name" autoFocus />
      <TextField at="short" description={t("jobgroups.form.shortHint", { most: jobgroupsLimits.short })} />
      <AreaField at="description" rows={2} />
      <OwnField<GroupContent["membership"]> at="membership">
        {({ value, set, error }) => (
          <Select
            label={t("jobgroups.form.membership")}
            data={membershipKinds.map((kind) => ({ value: kind, label: t(`jobgroups.memberships.${kind}`) }))}
            value={value}
            onChange={(kind) => kind !== null && set(kind)}
            allowDeselect={false}
            error={error}
          />
        )}
      </OwnField>
      <Rules />
      <Contains own={id} />
      <Look />
      <FormBar save={t("web.form.save")} onClose={leave} />
    </Form>
  );
}

/** A group by hand has no rules: those that it had stay for when they count again. */
function Rules() {
  const membership = useFormValue<GroupContent["membership"]>("membership");
  if (membership === "hand") return null;
  return (
    <OwnField<GroupRule[]> at="rules">
      {({ value, set, error }) => <RuleFields rules={value} error={error} onChange={set} />}
    </OwnField>
  );
}

function Contains({ own }: { readonly own: number | null }) {
  const { t } = useText();
  const groups = (useGroups().data?.items ?? []).filter(({ id, deleted }) => !deleted && id !== own);
  return (
    <OwnField<number[]> at="contains">
      {({ value, set, error }) => (
        <MultiSelect
          label={t("jobgroups.form.contains")}
          description={t("jobgroups.form.containsHint")}
          data={groups.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={value.map(String)}
          onChange={(ids) => set(ids.map(Number))}
          searchable
          nothingFoundMessage={t("jobgroups.empty.title")}
          error={error}
        />
      )}
    </OwnField>
  );
}

function Look() {
  const { t } = useText();
  return (
    <>
      <OwnField<string> at="colour">
        {({ value, set, error }) => (
          <ColorInput
            label={t("jobgroups.form.colour")}
            format="hex"
            disallowInput={false}
            error={error}
            value={value}
            onChange={(colour) => /^#[0-9a-f]{6}$/i.test(colour) && set(colour.toLowerCase())}
            eyeDropperButtonProps={{ "aria-label": t("jobgroups.pickColour") }}
          />
        )}
      </OwnField>
      <Suspense fallback={<Bars widths={["40%"]} />}>
        <OwnField<string | null> at="icon">
          {({ value, set }) => <IconPicker label={t("jobgroups.form.icon")} value={value} onChange={set} />}
        </OwnField>
      </Suspense>
    </>
  );
}
