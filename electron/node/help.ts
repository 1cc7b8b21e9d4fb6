/** What the command line says of itself. */
export const HELP = `palimpsest: what the model was really sent, call by call, and why

  palimpsest FILE [--call N]             the calls, and one call's steps and messages (the last by default)
  palimpsest info FILE                   what is in the file: records, calls, tip, boundaries, problems
  palimpsest calls FILE                  every call: base, keep, tail, tokens, usage, comparison with the recording
  palimpsest replay FILE --call N        one call stage by stage: edits, tokens before and after, first change
  palimpsest view FILE --call N|all      the messages of a call
      --stage ID                         disk, chain, slice, externalize, snip, microcompact, collapse, compact,
                                         repair, normalise or limit (default)
      --source projected|recorded        what we work out, or what the file recorded as sent
      --full                             whole texts
  palimpsest resume FILE                 the request a resume would send now, and the records it would append
      --next TEXT                        the prompt that comes next
      --tip ID                           continue from this record (r812 or a uuid) instead of the client's choice
      --client VERSION                   as that version of the client resumes; default: the newest tested
      --fork                             also what a fork would write
      --full                             whole texts
  palimpsest tokens FILE                 every call's recorded size: base, blocks, unattributed, foretold, money; what came in
      --call N                           what that call's context holds, by role, kind, tool, file and server
  palimpsest cache FILE                  breaks of the prompt cache: cause, how sure, what was lost and what it cost
  palimpsest runtime FILE                what a resume restores besides the messages, and what it does not
      --tip ID  --client VERSION
  palimpsest diff FILE [FILE]            two resumes beside each other: first difference, shared prefix, money, runtime
      --left-tip ID  --right-tip ID      continue from these records
      --left-client VERSION  --right-client VERSION
      --left-call N  --right-call N      the request of a call instead of a resume
  palimpsest health FILE [--call N]      problems, and what each client version does about them
  palimpsest heal FILE                   what healing would change, so that a client resumes the session
      --out COPY                         write the healed copy into this new file; FILE is left alone
      --tip ID                           make this record the one it continues from
  palimpsest verify FILE                 ask the client of this machine what it would send, shut off from the network
      --client PATH                      its program; default: claude on PATH
  palimpsest graph FILE                  branches, boundaries and leaves as lanes
      --level shape|turns|records
  palimpsest what-if FILE --policy NAME  the session run again: sizes of all calls, what would have been decided
      --set NAME=VALUE                   another value for a constant (externalize.limit=20000; never: no limit)
      --off STAGE                        externalize, snip, microcompact, collapse, compact, limit or slice
      --snip r12,r13                     remove these records
      --compact-from|--compact-up-to r12@9  summarise from a record on, or up to it, before call 9
      --from CALL                        earlier calls are as recorded
  palimpsest compare FILE --policy A --policy B  totals of policies beside the recorded run
  palimpsest policies                    the policies, their constants and where each was seen
  palimpsest record FILE HANDLE          one record: r812 (line 812) or a uuid

  --json            one JSON document with a schema field (JSON lines with --call all)
  --reading design  obey every kind of operation in the file, as the design has it; default: as its client does

FILE is a session, for Claude Code ~/.claude/projects/<project>/<session>.jsonl. It is never written to.
Exit codes: 0; 2 the question cannot be answered; 70 a bug of ours.
`;
