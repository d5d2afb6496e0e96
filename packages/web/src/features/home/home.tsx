import { Title } from "@mantine/core";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { cardsFor, kindsOf, useDeclared } from "#core/pages.ts";
import { ScrollArea } from "#ui/scroll.tsx";
import { JobTag } from "#ui/small.tsx";
import classes from "./home.module.css";

/** What this person should do now: the cards of all features for its kinds of person, the most urgent first. */
export default function HomePage() {
  const { t } = useText();
  const identity = useActiveIdentity();
  const { home, leads } = useDeclared();
  const { character } = identity;
  const kinds = kindsOf(identity, leads);
  const cards = cardsFor(home, kinds, identity);
  return (
    <ScrollArea className={classes["page"]} label={t("home.title")}>
      <div className={classes["inner"]}>
        <header className={classes["head"]}>
          <Title order={1}>{t("home.greeting", { name: character.firstName })}</Title>
          <JobTag job={character.job} />
        </header>
        <div className={classes["cards"]}>
          {cards.map(({ id, card: Card }) => (
            <Card key={id} />
          ))}
        </div>
      </div>
    </ScrollArea>
  );
}
