/** A session of an agent at work, as the lines of its file: calls with inputs, results of any size, pauses. */
export class AgentSession {
  readonly lines: string[] = [];
  private last: string | null = null;
  private made = 0;
  private at = Date.UTC(2026, 10, 1, 9);

  /** Minutes until the next record. */
  pause(minutes: number): this {
    this.at += minutes * 60_000;
    return this;
  }

  prompt(text: string): this {
    return this.add('user', { message: { role: 'user', content: text } });
  }

  /** One call and its result. `size`: what the API counted for the request. */
  call(
    name: string,
    input: object,
    result: string,
    more: { error?: boolean; size?: number } = {},
  ): this {
    const id = `t${this.made}`;
    this.answer([{ type: 'tool_use', id, name, input }], more.size);
    const content = {
      type: 'tool_result',
      tool_use_id: id,
      content: result,
      ...(more.error === true ? { is_error: true } : {}),
    };
    return this.add('user', { message: { role: 'user', content: [content] } });
  }

  /** Several calls of one answer, their results in one message. */
  parallel(calls: readonly { name: string; result: string }[]): this {
    const ids = calls.map((_, i) => `t${this.made}p${i}`);
    this.answer(calls.map(({ name }, i) => ({ type: 'tool_use', id: ids[i], name, input: {} })));
    const content = calls.map(({ result }, i) => ({
      type: 'tool_result',
      tool_use_id: ids[i],
      content: result,
    }));
    return this.add('user', { message: { role: 'user', content } });
  }

  say(text: string, size?: number): this {
    return this.answer([{ type: 'text', text }], size);
  }

  /** A recorded request that no answer follows: the server refused it. */
  refused(): this {
    this.lines.push(
      JSON.stringify({ type: 'api-request', id: `q${this.made++}`, sessionId: 's', tail: [] }),
    );
    return this;
  }

  /** The client compacts by itself: its boundary and its summary. */
  compacted(summary: string): this {
    const before = this.last;
    this.last = null;
    this.add('system', {
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      logicalParentUuid: before,
      compactMetadata: { trigger: 'auto', preTokens: 200_000 },
    });
    return this.add('user', {
      isCompactSummary: true,
      message: { role: 'user', content: summary },
    });
  }

  private answer(content: readonly object[], size?: number): this {
    const usage = {
      input_tokens: size ?? 5000 + this.made * 50,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 10,
    };
    const message = {
      id: `m${this.made}`,
      role: 'assistant',
      model: 'claude-opus-5-5',
      content,
      stop_reason: 'end_turn',
      usage,
    };
    return this.add('assistant', { message });
  }

  private add(type: string, fields: object): this {
    const uuid = `id${this.made++}`;
    const envelope = {
      uuid,
      parentUuid: this.last,
      sessionId: 's',
      version: '2.1.332',
      isSidechain: false,
    };
    this.at += 1000;
    this.lines.push(
      JSON.stringify({ type, ...envelope, timestamp: new Date(this.at).toISOString(), ...fields }),
    );
    this.last = uuid;
    return this;
  }
}
