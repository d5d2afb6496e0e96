import { useMemo, useState } from "react";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { IconArrowLeft, IconPlus } from "@tabler/icons-react";
import {
  callsPermissions,
  type CallsRules,
  type IncidentType,
  listTypes,
  orderTypes,
  putRules,
  removeType,
  restoreType,
} from "@rollcall/server/contract/calls";
import contract from "virtual:form/calls/putRules";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { api } from "#core/services.ts";
import { WorkRulesForm } from "#features/assignments/assignments.api.ts";
import { ActionList } from "#ui/actionList.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { NumberField, SwitchField } from "#ui/formFields.tsx";
import { Guard } from "#ui/guard.tsx";
import { RowActions, useRowChanges } from "#ui/orderedRows.tsx";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { PriorityMark } from "./age.tsx";
import { useTypes } from "./calls.queries.ts";
import type { TypeEditorProps } from "./typeEditor.tsx";
import { TypeTag } from "./typeTag.tsx";
import classes from "./calls.module.css";

const TypeEditor = part<TypeEditorProps>(["calls"], () => import("./typeEditor.tsx"));

/** Incident types of the own job and its rules for calls, for those who set them. */
export default function SetupPage() {
  return (
    <Guard permission={callsPermissions.setup}>
      <Content />
    </Guard>
  );
}

function Content() {
  const { t } = useText();
  const query = useTypes(true);
  const [edited, setEdited] = useState<IncidentType | "new" | null>(null);
  const items = query.data?.items ?? [];
  const [live, deleted] = [items.filter((one) => !one.deleted), items.filter((one) => one.deleted)];
  const add = (
    <Button variant="default" leftSection={<IconPlus size={16} />} aria-haspopup="dialog" onClick={() => setEdited("new")}>
      {t("calls.setup.new")}
    </Button>
  );
  return (
    <PanelPage
      title={t("calls.setup.title")}
      lead={t("calls.setup.lead")}
      actions={
        <div className={classes["actions"]}>
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/calls" {...props} />}
          >
            {t("calls.title")}
          </Button>
          {add}
        </div>
      }
    >
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "80%", "50%"]} />}
      {query.data && (
        <PanelSection title={t("calls.setup.present")}>
          {live.length === 0 && <p className={classes["quiet"]}>{t("calls.setup.empty")}</p>}
          <Rows types={live} onEdit={setEdited} />
        </PanelSection>
      )}
      {deleted.length > 0 && (
        <PanelSection title={t("calls.setup.deleted")} lead={t("calls.setup.deletedLead")}>
          <Rows types={deleted} onEdit={setEdited} />
        </PanelSection>
      )}
      {query.data && (
        <PanelSection title={t("calls.rules.title")} lead={t("calls.rules.lead")}>
          <RulesForm rules={query.data.rules} />
        </PanelSection>
      )}
      <WorkRulesForm />
      {edited !== null && <TypeEditor type={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
    </PanelPage>
  );
}

interface RowsProps {
  readonly types: readonly IncidentType[];
  onEdit(type: IncidentType): void;
}

function Rows({ types, onEdit }: RowsProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const { announcement, move, remove, restore } = useRowChanges({
    order: async (ids) => await api.call(orderTypes, { body: { ids: [...ids] } }),
    remove: async (id) => await api.call(removeType, { params: { id } }),
    restore: async (id) => await api.call(restoreType, { params: { id } }),
    read: async () => await queries.invalidateQueries({ queryKey: [listTypes.id] }),
  });
  const named = (key: string, name: string) => t(`calls.setup.${key}`, { name });
  return (
    <ActionList label={t("calls.setup.present")} announcement={announcement}>
      <ul className={classes["list"]}>
        {types.map((type, at) => (
          <li key={type.id}>
            <div className={classes["about"]}>
              <span className={classes["actions"]}>
                <PriorityMark priority={type.priority} />
                <TypeTag type={type} />
              </span>
              <span className={classes["quiet"]}>
                {t("calls.setup.lines", { checks: type.checklist.length, questions: type.questions.length })}
              </span>
            </div>
            <span className={classes["actions"]}>
              <RowActions
                deleted={type.deleted}
                isFirst={at === 0}
                isLast={at === types.length - 1}
                names={{
                  up: named("up", type.name),
                  down: named("down", type.name),
                  edit: named("editNamed", type.name),
                  remove: named("removeNamed", type.name),
                  restore: t("calls.setup.restore"),
                  restoreNamed: named("restoreNamed", type.name),
                }}
                onMove={(step) => void move(types, at, step, t("calls.setup.moved"))}
                onEdit={() => onEdit(type)}
                onRemove={() => void remove(type.id, named("removed", type.name), named("restored", type.name))}
                onRestore={() => void restore(type.id, named("restored", type.name))}
              />
            </span>
          </li>
        ))}
      </ul>
    </ActionList>
  );
}

interface RuleValues extends Record<string, unknown> {
  readonly public: boolean;
  readonly idleMinutes: number;
  readonly waitSeconds: number;
}

const valuesOf = ({ public: open, idleMinutes, waitSeconds }: CallsRules): RuleValues => ({
  public: open,
  idleMinutes,
  waitSeconds,
});

/** Who may call the job, and the times of its calls. */
function RulesForm({ rules }: { readonly rules: CallsRules }) {
  const { t } = useText();
  const queries = useQueryClient();
  const stored = useMemo(() => ({ version: rules.version, values: valuesOf(rules) }), [rules]);
  const form = useContractForm<RuleValues>({
    contract,
    fields: {
      public: { label: t("calls.rules.public") },
      idleMinutes: { label: t("calls.rules.idleMinutes") },
      waitSeconds: { label: t("calls.rules.waitSeconds") },
    },
    stored,
    save: async (values, version) => void (await api.call(putRules, { body: { ...values, version } })),
    async read() {
      const { rules: now } = await api.call(listTypes);
      return { version: now.version, values: valuesOf(now) };
    },
    saved: () => void queries.invalidateQueries({ queryKey: [listTypes.id] }),
  });
  return (
    <Form form={form} className={classes["form"]}>
      <SwitchField at="public" description={t("calls.rules.publicHint")} />
      <NumberField at="idleMinutes" description={t("calls.rules.idleHint")} />
      <NumberField at="waitSeconds" description={t("calls.rules.waitHint")} />
      <FormBar save={t("web.form.save")} />
    </Form>
  );
}
