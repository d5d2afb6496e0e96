import { useState } from "react";
import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconPlus, IconUsersGroup } from "@tabler/icons-react";
import {
  type Group,
  jobgroupsPermissions,
  orderGroups,
  removeGroup,
  restoreGroup,
  type WholeGroup,
} from "@rollcall/server/contract/jobgroups";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { api } from "#core/services.ts";
import { ActionList } from "#ui/actionList.tsx";
import { RowActions, useRowChanges } from "#ui/orderedRows.tsx";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { useOpened } from "#ui/records.tsx";
import { Split } from "#ui/split.tsx";
import { Bars, EmptyState, ProblemNote, RightHint } from "#ui/states.tsx";
import { GroupView } from "./detail.tsx";
import type { EditorProps } from "./editor.tsx";
import { GroupTag } from "./groupTag.tsx";
import { useGroups, useReadAgain } from "./jobgroups.queries.ts";
import type { JobgroupsSearch } from "./jobgroups.search.ts";
import classes from "./jobgroups.module.css";

const Editor = part<EditorProps>(["jobgroups"], () => import("./editor.tsx"));
const route = getRouteApi("/groups");
const detailRoute = getRouteApi("/groups/$id");

/** Groups of the own job; without the right to list them, those that one is in or leads. */
export default function JobgroupsPage() {
  const id = useOpened();
  const navigate = useNavigate();
  const search: JobgroupsSearch = route.useSearch();
  const manages = useAbilities().has(jobgroupsPermissions.manage);
  return (
    <>
      <Split list={<GroupList />} detail={id === null ? null : <Outlet />} />
      {search.new === "1" && manages && (
        <Editor
          group={null}
          onSaved={(made: WholeGroup) => void navigate({ to: "/groups/$id", params: { id: String(made.id) } })}
          onClose={() => void navigate({ to: "/groups", replace: true })}
        />
      )}
    </>
  );
}

export function GroupDetail() {
  const { id }: { id: string } = detailRoute.useParams();
  const navigate = useNavigate();
  return <GroupView key={id} id={Number(id)} onClose={() => void navigate({ to: "/groups" })} />;
}

function GroupList() {
  const { t } = useText();
  const navigate = useNavigate();
  const abilities = useAbilities();
  const query = useGroups();
  const manages = abilities.has(jobgroupsPermissions.manage);
  const items = query.data?.items ?? [];
  const [live, deleted] = [items.filter((one) => !one.deleted), items.filter((one) => one.deleted)];
  const add = (
    <Button
      variant="default"
      leftSection={<IconPlus size={16} />}
      aria-haspopup="dialog"
      onClick={() => void navigate({ to: "/groups", search: { new: "1" }, replace: true })}
    >
      {t("jobgroups.new")}
    </Button>
  );
  return (
    <PanelPage title={t("jobgroups.title")} lead={t("jobgroups.titleHint")} actions={manages && add}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "80%", "50%"]} />}
      {query.data && live.length === 0 && (
        <EmptyState icon={IconUsersGroup} title={t("jobgroups.empty.title")} text={t("jobgroups.empty.text")} />
      )}
      {live.length > 0 && (
        <PanelSection title={t("jobgroups.present")}>
          <Rows groups={live} manages={manages} />
        </PanelSection>
      )}
      {query.data && !abilities.has(jobgroupsPermissions.list) && (
        <RightHint permission={jobgroupsPermissions.list.id} text={t("jobgroups.ownOnly")} />
      )}
      {deleted.length > 0 && (
        <PanelSection title={t("jobgroups.deleted")} lead={t("jobgroups.deletedLead")}>
          <Rows groups={deleted} manages={manages} />
        </PanelSection>
      )}
    </PanelPage>
  );
}

interface RowsProps {
  readonly groups: readonly Group[];
  readonly manages: boolean;
}

function Rows({ groups, manages }: RowsProps) {
  const { t } = useText();
  const read = useReadAgain();
  const [edited, setEdited] = useState<number | null>(null);
  const { announcement, move, remove, restore } = useRowChanges({
    order: async (ids) => await api.call(orderGroups, { body: { ids: [...ids] } }),
    remove: async (id) => await api.call(removeGroup, { params: { id } }),
    restore: async (id) => await api.call(restoreGroup, { params: { id } }),
    read,
  });
  return (
    <ActionList label={t("jobgroups.title")} announcement={announcement}>
      <ul className={classes["list"]}>
        {groups.map((group, at) => (
          <li key={group.id} data-group={group.id}>
            <Row group={group} />
            {manages && (
              <span className={classes["actions"]}>
                <RowActions
                  deleted={group.deleted}
                  isFirst={at === 0}
                  isLast={at === groups.length - 1}
                  names={{
                    up: t("jobgroups.up", { name: group.name }),
                    down: t("jobgroups.down", { name: group.name }),
                    edit: t("jobgroups.editNamed", { name: group.name }),
                    remove: t("jobgroups.removeNamed", { name: group.name }),
                    restore: t("jobgroups.restore"),
                    restoreNamed: t("jobgroups.restoreNamed", { name: group.name }),
                  }}
                  onMove={(step) => void move(groups, at, step, t("jobgroups.moved"))}
                  onEdit={() => setEdited(group.id)}
                  onRemove={() =>
                    void remove(
                      group.id,
                      t("jobgroups.removed", { name: group.name }),
                      t("jobgroups.restored", { name: group.name }),
                    )
                  }
                  onRestore={() => void restore(group.id, t("jobgroups.restored", { name: group.name }))}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {edited !== null && <Editor group={edited} onClose={() => setEdited(null)} />}
    </ActionList>
  );
}

function Row({ group }: { readonly group: Group }) {
  const { t } = useText();
  const { id, members, own, leads, deleted } = group;
  const tag = <GroupTag group={group} />;
  return (
    <span className={classes["about"]}>
      {deleted ? (
        tag
      ) : (
        <Link to="/groups/$id" params={{ id: String(id) }}>
          {tag}
        </Link>
      )}
      <span className={`${classes["line"]} ${classes["quiet"]}`}>
        {members !== null && !deleted && <span>{t("jobgroups.count", { count: members })}</span>}
        {own && <span>{t("jobgroups.own")}</span>}
        {leads && <span>{t("jobgroups.leads")}</span>}
      </span>
    </span>
  );
}
