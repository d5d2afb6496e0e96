import { Button } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { ownSessions, revokeOtherSessions, revokeSession } from "@rollcall/server/contract/auth";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { useConfirm } from "#ui/confirm.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { SessionList } from "./list.tsx";
import classes from "./account.module.css";

export function SessionsSection() {
  const { t } = useText();
  const query = useQuery({ ...queryOf(ownSessions, {}), refetchInterval: 60_000 });
  const { announcement, announce } = useAnnouncement();
  const again = () => void query.refetch();
  const one = useMutation({
    mutationFn: (sessionId: string) => api.call(revokeSession, { params: { sessionId } }),
    onSuccess: () => announce(t("account.session.ended")),
    onSettled: again,
  });
  const others = useMutation({
    mutationFn: () => api.call(revokeOtherSessions, {}),
    onSuccess: () => announce(t("account.session.othersEnded")),
    onSettled: again,
  });
  const sessions = query.data?.sessions ?? [];
  const { ask, dialog } = useConfirm();
  const endOthers = () => {
    const lost = sessions.filter(({ current }) => !current);
    const question = {
      title: t("account.session.endOthersTitle"),
      text: t("account.session.endOthersText", { count: lost.length }),
      yes: t("account.session.endOthers"),
    };
    ask(question, async () => await others.mutateAsync());
  };
  return (
    <>
      <h2>{t("account.sections.sessions")}</h2>
      <p>{t("account.session.text")}</p>
      {query.isPending && <Bars widths={["60%", "45%", "70%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={again} retrying={query.isFetching} />}
      {dialog}
      {one.isError && <ProblemNote error={one.error} />}
      <ActionList label={t("account.sections.sessions")} announcement={announcement}>
        {/* Without a question: it is one browser of one's own, named beside the button, and signing in there is the way back. */}
        <SessionList sessions={sessions} ending={one.isPending ? one.variables : null} onEnd={({ id }) => one.mutate(id)} />
        {sessions.length > 1 && (
          <div className={classes["acts"]}>
            <Button variant="default" loading={others.isPending} onClick={endOthers}>
              {t("account.session.endOthers")}
            </Button>
          </div>
        )}
      </ActionList>
    </>
  );
}
