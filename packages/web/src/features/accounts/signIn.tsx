import { useMutation, useQuery } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import type { OutputOf } from "@rollcall/server/contract/core";
import { resetFactorOf, revokeSessionOf, revokeSessionsOf, signInOf } from "@rollcall/server/contract/auth";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { useConfirm } from "#ui/confirm.tsx";
import { Section } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import { SessionList, sessionName } from "#features/account/account.api.ts";
import classes from "./accounts.module.css";

type Session = OutputOf<typeof signInOf>["sessions"][number];

/** Where somebody is signed in, and the second factor. Each question names the person, who may be at work there. */
export function SignIn({ accountId, name }: { accountId: number; name: string }) {
  const { t } = useText();
  const query = useQuery(queryOf(signInOf, { params: { accountId } }));
  const again = () => void query.refetch();
  const sessions = query.data?.sessions ?? [];
  return (
    <>
      <Section title={t("accounts.sections.sessions")} count={sessions.length}>
        {query.error && <ProblemNote error={query.error} onRetry={again} retrying={query.isFetching} />}
        {query.data && <Sessions accountId={accountId} name={name} sessions={sessions} onChanged={again} />}
      </Section>
      <Section title={t("accounts.sections.factor")}>
        <div className={classes["stack"]}>
          {query.data && (
            <p>
              {t(
                !query.data.factor
                  ? "accounts.factor.off"
                  : query.data.factorReadable
                    ? "accounts.factor.on"
                    : "accounts.factor.unreadable",
              )}
            </p>
          )}
          {query.data?.factor === true && <ResetFactor accountId={accountId} name={name} onChanged={again} />}
        </div>
      </Section>
    </>
  );
}

interface Props {
  readonly accountId: number;
  readonly name: string;
  onChanged(): void;
}

function Sessions({ accountId, name, sessions, onChanged }: Props & { readonly sessions: readonly Session[] }) {
  const { t } = useText();
  const { announcement, announce } = useAnnouncement();
  const { ask, dialog } = useConfirm();
  const end = useMutation({
    mutationFn: (sessionId: string) => api.call(revokeSessionOf, { params: { accountId, sessionId } }),
    onSuccess: () => announce(t("accounts.sessionEnded")),
    onSettled: onChanged,
  });
  const endAll = useMutation({
    mutationFn: () => api.call(revokeSessionsOf, { params: { accountId } }),
    onSuccess: () => announce(t("accounts.sessionsEnded")),
    onSettled: onChanged,
  });
  const askOne = (session: Session) =>
    ask(
      {
        title: t("accounts.endOne.title", { name }),
        text: t("accounts.endOne.text", { name, device: sessionName(t, session) }),
        yes: t("accounts.endOne.yes"),
      },
      async () => await end.mutateAsync(session.id),
    );
  const askAll = () =>
    ask(
      {
        title: t("accounts.endAll.title", { name }),
        text: t("accounts.endAll.text", { name, count: sessions.length }),
        yes: t("accounts.endSessions"),
      },
      async () => await endAll.mutateAsync(),
    );
  return (
    <ActionList label={t("accounts.sections.sessions")} announcement={announcement}>
      {dialog}
      <SessionList sessions={sessions} ending={end.isPending ? end.variables : null} onEnd={askOne} />
      {sessions.length === 0 && <p className={classes["none"]}>{t("accounts.noSessions")}</p>}
      {sessions.length > 1 && (
        <Button size="compact-sm" variant="default" onClick={askAll}>
          {t("accounts.endSessions")}
        </Button>
      )}
    </ActionList>
  );
}

function ResetFactor({ accountId, name, onChanged }: Props) {
  const { t } = useText();
  const { ask, dialog } = useConfirm();
  const question = {
    title: t("accounts.factor.resetTitle", { name }),
    text: t("accounts.factor.resetText", { name }),
    yes: t("accounts.factor.reset"),
  };
  const reset = async () => {
    try {
      await api.call(resetFactorOf, { params: { accountId } });
    } finally {
      onChanged();
    }
  };
  return (
    <div className={classes["acts"]}>
      {dialog}
      <Button size="compact-sm" variant="default" onClick={() => ask(question, reset)}>
        {t("accounts.factor.reset")}
      </Button>
    </div>
  );
}
