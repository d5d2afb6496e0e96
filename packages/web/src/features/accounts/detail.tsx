import type { ReactNode } from "react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { IconUserOff } from "@tabler/icons-react";
import type { OutputOf } from "@rollcall/server/contract/core";
import {
  confirmAdmin,
  getAccount,
  issueAccountToken,
  restoreAccount,
  revokeAccountToken,
  setAccountEnabled,
} from "@rollcall/server/contract/accounts";
import { useText } from "#core/i18n.ts";
import { asProblem } from "#core/problem.ts";
import { queryOf } from "#core/queries.ts";
import { api, useSession } from "#core/services.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { useConfirm } from "#ui/confirm.tsx";
import { CopyText } from "#ui/copy.tsx";
import { Facts, Section, TimeAgo } from "#ui/small.tsx";
import { DetailPane } from "#ui/split.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { ConnectionsOf } from "#features/oauth/oauth.api.ts";
import { DeleteAccount, DisableAccount, MoveAccount } from "./changes.tsx";
import { Issued } from "./issued.tsx";
import { nameOf } from "./name.ts";
import { SignIn } from "./signIn.tsx";
import classes from "./accounts.module.css";

type Detail = OutputOf<typeof getAccount>;

const route = getRouteApi("/panel/accounts");
const detailRoute = getRouteApi("/panel/accounts/$id");

export function AccountDetailPage() {
  const { t } = useText();
  const { id } = detailRoute.useParams() as { id: string };
  const search = route.useSearch();
  const navigate = useNavigate();
  const query = useQuery(queryOf(getAccount, { params: { accountId: Number(id) } }));
  const account = query.data;
  const missing = query.isError && [400, 404].includes(asProblem(query.error).status);
  const name = account ? nameOf(account) : t("accounts.title");
  return (
    <DetailPane title={name} label={name} onClose={() => void navigate({ to: "/panel/accounts", search: search as never })}>
      {query.isPending && (
        <div className={classes["padded"]}>
          <Bars widths={["60%", "45%", "70%"]} />
        </div>
      )}
      {missing && <EmptyState icon={IconUserOff} title={t("accounts.nothing.title")} text={t("accounts.missing")} />}
      {query.isError && !missing && (
        <div className={classes["padded"]}>
          <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />
        </div>
      )}
      {account && <Sections key={account.id} account={account} />}
    </DetailPane>
  );
}

function Sections({ account }: { account: Detail }) {
  const { t } = useText();
  const facts: { label: string; value: ReactNode }[] = [
    { label: t("accounts.columns.username"), value: account.username ?? t("accounts.unregistered") },
    { label: t("accounts.columns.licence"), value: <CopyText text={account.licence} label={t("accounts.columns.licence")} /> },
    { label: t("accounts.columns.groups"), value: account.groups.length === 0 ? null : account.groups.join(", ") },
    {
      label: t("accounts.columns.lastSeenAt"),
      value: account.lastSeenAt === null ? null : <TimeAgo instant={account.lastSeenAt} />,
    },
    { label: t("accounts.columns.createdAt"), value: <TimeAgo instant={account.createdAt} /> },
  ];
  if (account.admin !== null) facts.push({ label: t("accounts.powers"), value: t(`accounts.admin.${account.admin}`) });
  return (
    <>
      <Section title={t("accounts.sections.facts")}>
        <State account={account} />
        <Waiting account={account} />
        <Facts facts={facts} />
      </Section>
      <Section title={t("accounts.columns.characters")} count={account.characterCount}>
        <Characters account={account} />
      </Section>
      {account.deletedAt === null && (
        <>
          {(tokenKindOf(account) !== null || account.tokens.length > 0) && (
            <Section title={t("accounts.sections.tokens")}>
              <Tokens account={account} />
            </Section>
          )}
          <SignIn accountId={account.id} name={nameOf(account)} />
          <ConnectionsOf accountId={account.id} />
          <Section title={t("accounts.sections.changes")}>
            <div className={classes["acts"]}>
              {account.enabled && account.events.includes("disable") && (
                <DisableAccount accountId={account.id} name={nameOf(account)} />
              )}
              {account.events.includes("move") && <MoveAccount accountId={account.id} />}
            </div>
          </Section>
          {account.events.includes("delete") && (
            <Section title={t("accounts.sections.deletion")}>
              <DeleteAccount accountId={account.id} name={nameOf(account)} />
            </Section>
          )}
        </>
      )}
    </>
  );
}

/** Profiles open only as a character. */
function Characters({ account: { characters } }: { account: Detail }) {
  const { t } = useText();
  const isActive = useSession().phase === "active";
  if (characters.length === 0) return <p className={classes["none"]}>{t("accounts.noCharacters")}</p>;
  return (
    <ul className={classes["tokens"]}>
      {characters.map(({ id, name }) => (
        <li key={id}>
          {isActive ? (
            <Link to="/citizens/$id" params={{ id: String(id) }}>
              {name}
            </Link>
          ) : (
            name
          )}
        </li>
      ))}
    </ul>
  );
}

/** Why the account cannot sign in, with the button that allows it again. */
function State({ account }: { account: Detail }) {
  const { t } = useText();
  const queries = useQueryClient();
  const onSuccess = () => void queries.invalidateQueries();
  const params = { accountId: account.id };
  const enable = useMutation({
    mutationFn: () => api.call(setAccountEnabled, { params, body: { enabled: true } }),
    onSuccess,
  });
  const restore = useMutation({ mutationFn: () => api.call(restoreAccount, { params }), onSuccess });
  const error = enable.error ?? restore.error;
  const deleted = account.events.includes("restore");
  if (!deleted && !account.events.includes("enable")) return null;
  const act = deleted ? restore : enable;
  return (
    <div className={classes["notice"]}>
      {error && <ProblemNote error={error} />}
      <p>
        {deleted
          ? t("accounts.deletedBy", { by: account.deletedBy ?? "", reason: account.deletedReason ?? "" })
          : t("accounts.disabledBecause", { reason: account.disabledReason ?? "–" })}
      </p>
      <Button size="compact-sm" variant="default" loading={act.isPending} onClick={() => act.mutate()}>
        {t(deleted ? "accounts.restore" : "accounts.enable")}
      </Button>
    </div>
  );
}

/** The game named the account as an admin, which is not confirmed yet. */
function Waiting({ account }: { account: Detail }) {
  const { t } = useText();
  const queries = useQueryClient();
  const confirm = useMutation({
    mutationFn: () =>
      api.call(confirmAdmin, { params: { accountId: account.id }, body: { power: account.adminWaiting ?? "job" } }),
    onError: () => void queries.invalidateQueries(),
    onSuccess: () => void queries.invalidateQueries(),
  });
  if (account.adminWaiting === null || account.deletedAt !== null) return null;
  return (
    <div className={classes["notice"]}>
      {confirm.error && <ProblemNote error={confirm.error} />}
      <p>{t(`accounts.waiting.${account.adminWaiting}`)}</p>
      <Button size="compact-sm" variant="default" loading={confirm.isPending} onClick={() => confirm.mutate()}>
        {t("accounts.waiting.confirm")}
      </Button>
    </div>
  );
}

/** Who has a password resets it, who has none registers; null when the state of the account allows no token. */
function tokenKindOf({ events, hasPassword }: Detail): "register" | "reset" | null {
  if (!hasPassword && events.includes("issueRegisterToken")) return "register";
  return events.includes("issueResetToken") ? "reset" : null;
}

function Tokens({ account }: { account: Detail }) {
  const { t } = useText();
  const queries = useQueryClient();
  const kind = tokenKindOf(account);
  const { announcement, announce } = useAnnouncement();
  const issue = useMutation({
    mutationFn: (wanted: "register" | "reset") =>
      api.call(issueAccountToken, { params: { accountId: account.id }, body: { kind: wanted } }),
    onSuccess: () => void queries.invalidateQueries(),
  });
  const revoke = useMutation({
    mutationFn: (one: Detail["tokens"][number]["kind"]) =>
      api.call(revokeAccountToken, { params: { accountId: account.id, kind: one } }),
    onSuccess: (_done, one) => {
      issue.reset();
      announce(t(`accounts.tokens.revoked.${one}`));
    },
    onSettled: () => void queries.invalidateQueries(),
  });
  const { ask, dialog } = useConfirm();
  const askRevoke = ({ kind: one, createdBy }: Detail["tokens"][number]) =>
    ask(
      {
        title: t(`accounts.tokens.revokeTitle.${one}`, { name: nameOf(account) }),
        text: t("accounts.tokens.revokeText", { by: createdBy }),
        yes: t("accounts.tokens.revoke"),
      },
      async () => await revoke.mutateAsync(one),
    );
  return (
    <ActionList className={classes["stack"]} label={t("accounts.sections.tokens")} announcement={announcement}>
      {dialog}
      {issue.error && <ProblemNote error={issue.error} />}
      {issue.data && <Issued issued={issue.data} />}
      {account.tokens.length > 0 && (
        <ul className={classes["tokens"]}>
          {account.tokens.map((token) => (
            <li key={`${token.kind} ${token.createdAt}`}>
              {t(`accounts.tokens.of.${token.kind}`, { by: token.createdBy })} <TimeAgo instant={token.createdAt} />{" "}
              <Button
                size="compact-xs"
                variant="default"
                aria-label={t(`accounts.tokens.revokeOf.${token.kind}`)}
                onClick={() => askRevoke(token)}
              >
                {t("accounts.tokens.revoke")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {kind !== null && (
        <div className={classes["acts"]}>
          <Button size="compact-sm" variant="default" loading={issue.isPending} onClick={() => issue.mutate(kind)}>
            {t(`accounts.tokens.${kind}`)}
          </Button>
        </div>
      )}
    </ActionList>
  );
}
