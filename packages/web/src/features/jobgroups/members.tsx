import { useState } from "react";
import { Button } from "@mantine/core";
import type { Member, WholeGroup } from "@rollcall/server/contract/jobgroups";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { Section } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import type { ExcludeDialogProps } from "./excludeDialog.tsx";
import { useMembers, usePeopleChanges } from "./jobgroups.queries.ts";
import { PersonSelect } from "./personSelect.tsx";
import type { WhyProps } from "./why.tsx";
import classes from "./jobgroups.module.css";

const Why = part<WhyProps>(["jobgroups"], () => import("./why.tsx"));
const ExcludeDialog = part<ExcludeDialogProps>(["jobgroups"], () => import("./excludeDialog.tsx"));

/** Who is in a group, and who may be added by hand. */
export function Members({ group }: { readonly group: WholeGroup }) {
  const { t } = useText();
  const { query, items } = useMembers(group.id);
  const change = usePeopleChanges(group.id);
  const total = query.data?.pages[0]?.total;
  return (
    <Section title={t("jobgroups.members.title")} {...(total === undefined ? {} : { count: total })}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "70%", "50%"]} />}
      {query.data && items.length === 0 && <p className={classes["quiet"]}>{t("jobgroups.members.none")}</p>}
      <ul className={classes["list"]} data-members>
        {items.map((member) => (
          <MemberRow key={member.id} group={group} member={member} />
        ))}
      </ul>
      {query.hasNextPage && (
        <Button size="compact-sm" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t("jobgroups.more")}
        </Button>
      )}
      {group.may.includes("hand") && group.membership !== "rule" && (
        <PersonSelect
          label={t("jobgroups.members.add")}
          submit={t("jobgroups.members.submit")}
          onChosen={async ({ id, name }) => await change("members", { add: [id] }, t("jobgroups.members.added", { name }))}
        />
      )}
    </Section>
  );
}

function MemberRow({ group, member }: { readonly group: WholeGroup; readonly member: Member }) {
  const { t } = useText();
  const change = usePeopleChanges(group.id);
  const [opened, setOpened] = useState<"why" | "exclude" | null>(null);
  const { id, grade, byHand, leads } = member;
  const name = useNamer()(member, useActiveIdentity().character.job.name);
  const close = () => setOpened(null);
  return (
    <li>
      <span className={classes["about"]}>
        <span>{name}</span>
        <span className={`${classes["line"]} ${classes["quiet"]}`}>
          <span>{grade}</span>
          {byHand && <span>{t("jobgroups.why.kinds.hand")}</span>}
          {leads && <span>{t("jobgroups.members.leads")}</span>}
        </span>
      </span>
      <span className={classes["actions"]} data-screen-only>
        {group.may.includes("explain") && (
          <Button
            size="compact-sm"
            variant="default"
            aria-haspopup="dialog"
            aria-label={t("jobgroups.why.openNamed", { name })}
            onClick={() => setOpened("why")}
          >
            {t("jobgroups.why.open")}
          </Button>
        )}
        {byHand && group.may.includes("hand") && (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t("jobgroups.members.removeNamed", { name })}
            onClick={() => void change("members", { remove: [id] }, t("jobgroups.members.removed", { name }))}
          >
            {t("jobgroups.members.remove")}
          </Button>
        )}
        {group.may.includes("exclude") && (
          <Button
            size="compact-sm"
            variant="default"
            aria-haspopup="dialog"
            aria-label={t("jobgroups.exclusions.excludeNamed", { name })}
            onClick={() => setOpened("exclude")}
          >
            {t("jobgroups.exclusions.exclude")}
          </Button>
        )}
      </span>
      {opened === "why" && <Why group={group.id} person={{ id, name }} onClose={close} />}
      {opened === "exclude" && <ExcludeDialog group={group.id} person={{ id, name }} onClose={close} />}
    </li>
  );
}
