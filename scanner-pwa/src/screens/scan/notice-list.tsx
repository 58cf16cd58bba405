/** Everything that the line above the camera counts: each notice in full, with what can be done about it. */
import type { JSX } from 'preact'
import { words } from '../../words/words.ts'
import { Dialog } from '../dialog.tsx'
import { Icon } from '../icon.tsx'
import type { Notice } from './notices.ts'
import './notice-list.css'

interface ListProps {
  notices: readonly Notice[]
  dismiss: (notice: Notice) => void
  close: () => void
}

export function NoticeList({ notices, dismiss, close }: ListProps): JSX.Element {
  return (
    <Dialog title={words.scan.notices} closing={words.close} onClose={close}>
      <ul class="plain-list">
        {notices.map((notice) => (
          <li key={notice.id} class="notice" data-tone={notice.tone}>
            <p>
              <b>{notice.title}</b> <span>{notice.text}</span>
            </p>
            {notice.href && (
              <a class="button" href={notice.href} aria-label={`${words.notice.look}: ${notice.title}`}>
                {words.notice.look}
              </a>
            )}
            {notice.dismiss && (
              <button
                type="button"
                aria-label={words.notice.dismissNamed(notice.title)}
                onClick={() => dismiss(notice)}
              >
                <Icon name="close" />
              </button>
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
