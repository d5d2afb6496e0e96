import { useState } from "react";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { IconPlus } from "@tabler/icons-react";
import {
  type ColleagueLabel,
  colleaguesPermissions,
  listLabels,
  orderLabels,
  removeLabel,
  restoreLabel,
} from "@rollcall/server/contract/colleagues";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { api } from "#core/services.ts";
import { ActionList } from "#ui/actionList.tsx";
import { Guard } from "#ui/guard.tsx";
import { RowActions, useRowChanges } from "#ui/orderedRows.tsx";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { useLabels } from "./colleagues.queries.ts";
import type { LabelEditorProps } from "./labelEditor.tsx";
import { LabelTag } from "./labelTag.tsx";
import classes from "./colleagues.module.css";

const LabelEditor = part<LabelEditorProps>(["colleagues"], () => import("./labelEditor.tsx"));

/** The labels of the own job, for those who manage them. */
export default function LabelsPage() {
  return (
    <Guard permission={colleaguesPermissions.labels}>
      <Content />
    </Guard>
  );
}

function Content() {
  const { t } = useText();
  const query = useLabels(true);
  const [edited, setEdited] = useState<ColleagueLabel | "new" | null>(null);
  const items = query.data?.items ?? [];
  const [live, deleted] = [items.filter((one) => !one.deleted), items.filter((one) => one.deleted)];
  return (
    <PanelPage
      title={t("colleagues.labels.title")}
      lead={t("colleagues.labels.lead")}
      actions={
        <Button variant="default" leftSection={<IconPlus size={16} />} aria-haspopup="dialog" onClick={() => setEdited("new")}>
          {t("colleagues.labels.new")}
        </Button>
      }
    >
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "80%", "50%"]} />}
      {query.data && (
        <PanelSection title={t("colleagues.labels.present")}>
          {live.length === 0 && <p className={classes["quiet"]}>{t("colleagues.labels.empty")}</p>}
          <Rows labels={live} onEdit={setEdited} />
        </PanelSection>
      )}
      {deleted.length > 0 && (
        <PanelSection title={t("colleagues.labels.deleted")} lead={t("colleagues.labels.deletedLead")}>
          <Rows labels={deleted} onEdit={setEdited} />
        </PanelSection>
      )}
      {edited !== null && <LabelEditor label={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
    </PanelPage>
  );
}

interface RowsProps {
  readonly labels: readonly ColleagueLabel[];
  onEdit(label: ColleagueLabel): void;
}

function Rows({ labels, onEdit }: RowsProps) {
  const { t } = useText();
  const queries = useQueryClient();
  const { announcement, move, remove, restore } = useRowChanges({
    order: async (ids) => await api.call(orderLabels, { body: { ids: [...ids] } }),
    remove: async (id) => await api.call(removeLabel, { params: { id } }),
    restore: async (id) => await api.call(restoreLabel, { params: { id } }),
    read: async () => await queries.invalidateQueries({ queryKey: [listLabels.id] }),
  });
  return (
    <ActionList label={t("colleagues.labels.title")} announcement={announcement}>
      <ul className={classes["labels"]}>
        {labels.map((label, at) => (
          <li key={label.id} className={classes["label"]}>
            <LabelTag label={label} />
            <People label={label} />
            <span className={classes["actions"]}>
              <RowActions
                deleted={label.deleted}
                isFirst={at === 0}
                isLast={at === labels.length - 1}
                names={{
                  up: t("colleagues.labels.up", { name: label.name }),
                  down: t("colleagues.labels.down", { name: label.name }),
                  edit: t("colleagues.labels.editNamed", { name: label.name }),
                  remove: t("colleagues.labels.removeNamed", { name: label.name }),
                  restore: t("colleagues.labels.restore"),
                  restoreNamed: t("colleagues.labels.restoreNamed", { name: label.name }),
                }}
                onMove={(step) => void move(labels, at, step, t("colleagues.labels.moved"))}
                onEdit={() => onEdit(label)}
                onRemove={() =>
                  void remove(
                    label.id,
                    t("colleagues.labels.removed", { name: label.name }),
                    t("colleagues.labels.restored", { name: label.name }),
                  )
                }
                onRestore={() => void restore(label.id, t("colleagues.labels.restored", { name: label.name }))}
              />
            </span>
          </li>
        ))}
      </ul>
    </ActionList>
  );
}

/** How many have it; the list shows who. */
function People({ label }: { readonly label: ColleagueLabel }) {
  const { t } = useText();
  const { people, id, deleted } = label;
  if (people === null) return null;
  const text = t("colleagues.labels.people", { count: people });
  if (people === 0 || deleted) return <span className={classes["quiet"]}>{text}</span>;
  return (
    <Link to="/jobs/colleagues" search={{ label: String(id) }}>
      {text}
    </Link>
  );
}
