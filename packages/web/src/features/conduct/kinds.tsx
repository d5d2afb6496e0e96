import { useState } from "react";
import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { IconArrowLeft, IconPlus } from "@tabler/icons-react";
import { conductPermissions, listKinds, orderKinds, removeKind, restoreKind } from "@rollcall/server/contract/conduct";
import { type Translate, useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { api } from "#core/services.ts";
import { ActionList } from "#ui/actionList.tsx";
import { Guard } from "#ui/guard.tsx";
import { RowActions, useRowChanges } from "#ui/orderedRows.tsx";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { type ConductKind, useKinds } from "./conduct.queries.ts";
import type { KindEditorProps } from "./kindEditor.tsx";
import { KindTag } from "./kindTag.tsx";
import { RulesForm } from "./rulesForm.tsx";
import classes from "./conduct.module.css";

const KindEditor = part<KindEditorProps>(["conduct"], () => import("./kindEditor.tsx"));

/** The kinds of conduct entries of the own job and its thresholds, for those who set them. */
export default function KindsPage() {
  return (
    <Guard permission={conductPermissions.kinds}>
      <Content />
    </Guard>
  );
}

function Content() {
  const { t } = useText();
  const query = useKinds(true);
  const [edited, setEdited] = useState<ConductKind | "new" | null>(null);
  const items = query.data?.items ?? [];
  const [live, deleted] = [items.filter((one) => !one.deleted), items.filter((one) => one.deleted)];
  return (
    <PanelPage
      title={t("conduct.kinds.title")}
      lead={t("conduct.kinds.lead")}
      actions={
        <div className={classes["actions"]}>
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            renderRoot={(props) => <Link to="/conduct" {...props} />}
          >
            {t("conduct.title")}
          </Button>
          <Button variant="default" leftSection={<IconPlus size={16} />} aria-haspopup="dialog" onClick={() => setEdited("new")}>
            {t("conduct.kinds.new")}
          </Button>
        </div>
      }
    >
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "80%", "50%"]} />}
      {query.data && (
        <PanelSection title={t("conduct.kinds.present")}>
          {live.length === 0 && <p className={classes["quiet"]}>{t("conduct.kinds.empty")}</p>}
          <Rows kinds={live} onEdit={setEdited} />
        </PanelSection>
      )}
      {deleted.length > 0 && (
        <PanelSection title={t("conduct.kinds.deleted")} lead={t("conduct.kinds.deletedLead")}>
          <Rows kinds={deleted} onEdit={setEdited} />
        </PanelSection>
      )}
      {query.data && (
        <PanelSection title={t("conduct.rules.title")} lead={t("conduct.rules.lead")}>
          <RulesForm rules={query.data.rules} />
        </PanelSection>
      )}
      {edited !== null && <KindEditor kind={edited === "new" ? null : edited} onClose={() => setEdited(null)} />}
    </PanelPage>
  );
}

const aboutKind = (t: Translate, { points, expiresAfter, acknowledge }: ConductKind): string =>
  [
    t("conduct.points", { count: points }),
    expiresAfter === null ? t("conduct.kinds.neverExpires") : t("conduct.kinds.expires", { count: expiresAfter }),
    ...(acknowledge ? [t("conduct.kinds.asked")] : []),
  ].join(" · ");

interface RowsProps {
  readonly kinds: readonly ConductKind[];
  onEdit(kind: ConductKind): void;
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
    <ActionList label={t("conduct.kinds.title")} announcement={announcement}>
      <ul className={classes["list"]}>
        {kinds.map((kind, at) => (
          <li key={kind.id}>
            <div className={classes["about"]}>
              <KindTag kind={kind} tone={kind.tone} />
              <span className={classes["quiet"]}>{aboutKind(t, kind)}</span>
            </div>
            <span className={classes["actions"]}>
              <RowActions
                deleted={kind.deleted}
                isFirst={at === 0}
                isLast={at === kinds.length - 1}
                names={{
                  up: t("conduct.kinds.up", { name: kind.name }),
                  down: t("conduct.kinds.down", { name: kind.name }),
                  edit: t("conduct.kinds.editNamed", { name: kind.name }),
                  remove: t("conduct.kinds.removeNamed", { name: kind.name }),
                  restore: t("conduct.kinds.restore"),
                  restoreNamed: t("conduct.kinds.restoreNamed", { name: kind.name }),
                }}
                onMove={(step) => void move(kinds, at, step, t("conduct.kinds.moved"))}
                onEdit={() => onEdit(kind)}
                onRemove={() =>
                  void remove(
                    kind.id,
                    t("conduct.kinds.removed", { name: kind.name }),
                    t("conduct.kinds.restored", { name: kind.name }),
                  )
                }
                onRestore={() => void restore(kind.id, t("conduct.kinds.restored", { name: kind.name }))}
              />
            </span>
          </li>
        ))}
      </ul>
    </ActionList>
  );
}
