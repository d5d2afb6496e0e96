import { useMemo, useState } from "react";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { IconArrowLeft, IconPlus } from "@tabler/icons-react";
import {
  type AbsenceKind,
  type AbsenceRules,
  absencesPermissions,
  listKinds,
  orderKinds,
  putRules,
  removeKind,
  restoreKind,
} from "@rollcall/server/contract/absences";
import contract from "virtual:form/absences/putRules";
import { useContractForm } from "#core/forms/useContractForm.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { api } from "#core/services.ts";
import { ActionList } from "#ui/actionList.tsx";
import { Form, FormBar } from "#ui/form.tsx";
import { NumberField } from "#ui/formFields.tsx";
import { Guard } from "#ui/guard.tsx";
import { RowActions, useRowChanges } from "#ui/orderedRows.tsx";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { useKinds } from "./absences.queries.ts";
import type { KindEditorProps } from "./kindEditor.tsx";
import { KindTag } from "./kindTag.tsx";
import classes from "./absences.module.css";

const KindEditor = part<KindEditorProps>(["absences"], () => import("./kindEditor.tsx"));

/** The kinds of absence of the own job and its rules, for those who set them. */
export default function KindsPage() {
  return (
    <Guard permission={absencesPermissions.kinds}>
      <Content />
    </Guard>
  );
}

function Content() {
  const { t } = useText();
  const query = useKinds(true);
  const [edited, setEdited] = useState<AbsenceKind | "new" | null>(null);
  const items = query.data?.items ?? [];
  const [live, deleted] = [items.filter((one) => !one.deleted), items.filter((one) => one.deleted)];
  return (
    <PanelPage
      title={t("absences.kinds.title")}
      lead={t("absences.kinds.lead")}
      actions={
        <div className={classes["actions"]}>
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/absences" {...props} />}
          >
            {t("absences.title")}
          </Button>
          <Button variant="default" leftSection={<IconPlus size={16} />} aria-haspopup="dialog" onClick={() => setEdited("new")}>
            {t("absences.kinds.new")}
          </Button>
        </div>
      }
    >
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "80%", "50%"]} />}
      {query.data && (
        <PanelSection title={t("absences.kinds.present")}>
          {live.length === 0 && <p className={classes["quiet"]}>{t("absences.kinds.empty")}</p>}
          <Rows kinds={live} onEdit={setEdited} />
        </PanelSection>
      )}
      {deleted.length > 0 && (
        <PanelSection title={t("absences.kinds.deleted")} lead={t("absences.kinds.deletedLead")}>
          <Rows kinds={deleted} onEdit={setEdited} />
        </PanelSection>
      )}
      {query.data && (
        <PanelSection title={t("absences.rules.title")} lead={t("absences.rules.lead")}>
          <RulesForm rules={query.data.rules} />
        </PanelSection>
      )}
      {edited !== null && <KindEditor kind={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
    </PanelPage>
  );
}

interface RowsProps {
  readonly kinds: readonly AbsenceKind[];
  onEdit(kind: AbsenceKind): void;
}

function Rows({ kinds, onEdit }: RowsProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const { announcement, move, remove, restore } = useRowChanges({
    order: async (ids) => await api.call(orderKinds, { body: { ids: [...ids] } }),
    remove: async (id) => await api.call(removeKind, { params: { id } }),
    restore: async (id) => await api.call(restoreKind, { params: { id } }),
    read: async () => await queries.invalidateQueries({ queryKey: [listKinds.id] }),
  });
  return (
    <ActionList label={t("absences.kinds.title")} announcement={announcement}>
      <ul className={classes["list"]}>
        {kinds.map((kind, at) => (
          <li key={kind.id}>
            <div className={classes["about"]}>
              <KindTag kind={kind} />
              <span className={classes["quiet"]}>
                {t(kind.needsApproval ? "absences.ask.needsApproval" : "absences.ask.noApproval")}{" "}
                {t("absences.ask.limits", { back: kind.daysBack, ahead: kind.daysAhead, count: kind.mostDays })}
              </span>
            </div>
            <span className={classes["actions"]}>
              <RowActions
                deleted={kind.deleted}
                isFirst={at === 0}
                isLast={at === kinds.length - 1}
                names={{
                  up: t("absences.kinds.up", { name: kind.name }),
                  down: t("absences.kinds.down", { name: kind.name }),
                  edit: t("absences.kinds.editNamed", { name: kind.name }),
                  remove: t("absences.kinds.removeNamed", { name: kind.name }),
                  restore: t("absences.kinds.restore"),
                  restoreNamed: t("absences.kinds.restoreNamed", { name: kind.name }),
                }}
                onMove={(step) => void move(kinds, at, step, t("absences.kinds.moved"))}
                onEdit={() => onEdit(kind)}
                onRemove={() =>
                  void remove(
                    kind.id,
                    t("absences.kinds.removed", { name: kind.name }),
                    t("absences.kinds.restored", { name: kind.name }),
                  )
                }
                onRestore={() => void restore(kind.id, t("absences.kinds.restored", { name: kind.name }))}
              />
            </span>
          </li>
        ))}
      </ul>
    </ActionList>
  );
}

interface RuleValues extends Record<string, unknown> {
  /** An empty field is a text. */
  readonly share: number | string | null;
}

/** From which share of absent colleagues on the form warns. */
function RulesForm({ rules }: { readonly rules: AbsenceRules }) {
  const { t } = useText();
  const queries = useQueryClient();
  const stored = useMemo(() => ({ version: rules.version, values: { share: rules.share } }), [rules.version, rules.share]);
  const form = useContractForm<RuleValues>({
    contract,
    fields: { share: { label: t("absences.rules.share") } },
    stored,
    async save({ share }, version) {
      await api.call(putRules, { body: { version, share: typeof share === "number" ? share : null } });
    },
    async read() {
      const { rules: now } = await api.call(listKinds);
      return { version: now.version, values: { share: now.share } };
    },
    saved: () => void queries.invalidateQueries({ queryKey: [listKinds.id] }),
  });
  return (
    <Form form={form} className={classes["form"]}>
      <NumberField at="share" description={t("absences.rules.shareHint")} />
      <FormBar save={t("web.form.save")} />
    </Form>
  );
}
