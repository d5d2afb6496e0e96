import type { ReactNode } from "react";
import { Link, useRouter } from "@tanstack/react-router";
import { Button, Group } from "@mantine/core";
import { IconLock, IconMapPinOff, IconMoodSad } from "@tabler/icons-react";
import { useActiveIdentity, useRecheck } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { asProblem } from "#core/problem.ts";
import { permissionName, problemMessage } from "#core/messages.ts";
import { CopyText } from "./copy.tsx";
import { EmptyState } from "./states.tsx";

function GoHome() {
  const { t } = useText();
  return (
    <Button variant="default" renderRoot={(props) => <Link to="/" {...props} />}>
      {t("web.goHome")}
    </Button>
  );
}

export function NotFoundPage() {
  const { t } = useText();
  return (
    <EmptyState icon={IconMapPinOff} title={t("web.notFound.title")} text={t("web.notFound.text")} page action={<GoHome />} />
  );
}

/** The character lacks the right for this page: which one, and who can grant it. */
export function ForbiddenPage({ permission, page = false }: { permission: string; page?: boolean }) {
  const { t } = useText();
  const { character } = useActiveIdentity();
  return (
    <Refusal
      page={page}
      text={t("web.forbidden.text", { right: permissionName(t, permission), job: character.job.label })}
      action={<GoHome />}
    />
  );
}

/** The page is for config admins: who can make one, or the second factor that their powers wait for. */
export function AdminsOnlyPage() {
  const { t } = useText();
  const { account } = useActiveIdentity();
  if (!account.factorNeededForAdmin) return <Refusal page text={t("web.forbidden.admins")} action={<GoHome />} />;
  return (
    <Refusal
      page
      text={t("auth.factorForAdmin")}
      action={<Button renderRoot={(props) => <Link to="/account/factor" {...props} />}>{t("auth.factorSetUp")}</Button>}
    />
  );
}

/** What is missing, why, and what to do; looks whether it was granted in the meantime. */
function Refusal({ text, action, page }: { text: string; action: ReactNode; page: boolean }) {
  const { t } = useText();
  const recheck = useRecheck();
  return (
    <EmptyState
      icon={IconLock}
      page={page}
      title={t("web.forbidden.title")}
      text={text}
      action={
        <Group gap="sm" justify="center">
          {action}
          <Button variant="subtle" color="gray" loading={recheck.busy} onClick={recheck.now}>
            {t("web.forbidden.again")}
          </Button>
        </Group>
      }
    />
  );
}

/** The page failed to render, or its code could not be loaded. */
export function FailedPage({ error }: { error: unknown }) {
  const { t } = useText();
  const router = useRouter();
  const problem = asProblem(error);
  return (
    <EmptyState
      icon={IconMoodSad}
      page
      title={t("web.failed.title")}
      text={problemMessage(t, problem)}
      action={
        <>
          <Button onClick={() => void router.invalidate()}>{t("web.retry")}</Button>
          {problem.traceId && <CopyText text={problem.traceId} label={t("web.traceId")} showLabel />}
        </>
      }
    />
  );
}
