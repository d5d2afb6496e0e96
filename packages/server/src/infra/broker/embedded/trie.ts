interface Node<T> {
  readonly words: Map<string, Node<T>>;
  /** Values of patterns that end here. */
  readonly here: Set<T>;
  /** Values of patterns that continue with `>`. */
  readonly rest: Set<T>;
}

function node<T>(): Node<T> {
  return { words: new Map(), here: new Set(), rest: new Set() };
}

/** Finds values by subject among subject patterns. */
export class SubjectTrie<T> {
  readonly #root = node<T>();

  add(pattern: string, value: T): () => void {
    const path = [this.#root];
    const words = pattern.split(".");
    const rest = words.at(-1) === ">";
    if (rest) words.pop();
    for (const word of words) {
      const at = path.at(-1) as Node<T>;
      let next = at.words.get(word);
      if (!next) at.words.set(word, (next = node()));
      path.push(next);
    }
    const end = path.at(-1) as Node<T>;
    const set = rest ? end.rest : end.here;
    set.add(value);
    return () => {
      set.delete(value);
      for (let i = words.length; i > 0; i--) {
        const child = path[i] as Node<T>;
        if (child.words.size || child.here.size || child.rest.size) return;
        path[i - 1]?.words.delete(words[i - 1] as string);
      }
    };
  }

  find(subject: string): T[] {
    const words = subject.split(".");
    const found: T[] = [];
    let level = [this.#root];
    for (const word of words) {
      const next: Node<T>[] = [];
      for (const at of level) {
        found.push(...at.rest);
        for (const name of [word, "*"]) {
          const child = at.words.get(name);
          if (child) next.push(child);
        }
      }
      level = next;
    }
    for (const at of level) found.push(...at.here);
    return found;
  }
}
