/** Every sentence that a person reads in the shell and on the live screens, in Dutch. */
import type { words as English } from '../en/words.ts'
import { titles } from './titles.ts'

export const words: typeof English = {
  title: 'Gatehouse Controlekamer',

  screens: titles,

  session: {
    heading: 'Controlekamer',
    intro: 'Typ het admintoken van deze box. Het wordt bewaard tot dit tabblad sluit.',
    label: 'Admintoken',
    where:
      'De box toont het bij de eerste start en bewaart het in admin-token in de datamap. Op de appliance: zet show_admin_token = true in gatehouse.toml; na de volgende start staat het in admin-token.txt op de kaart.',
    submit: 'Openen',
    checking: 'Wachten op de box…',
    noToken: 'Dit is geen token: kopieer de hele regel.',
    wrongToken: 'Dit is niet het token van deze box. Kopieer dat uit het bestand admin-token.',
    tokenRefused: 'De box accepteert je token niet meer. Typ het huidige.',
    unreachable: 'De box antwoordt niet. Controleer of hij draait en of dit apparaat op zijn netwerk zit.',
    strange: (status) => `Deze pagina kan het antwoord niet lezen (HTTP ${status}). Herlaad de pagina.`,
    unexpected: 'Er ging iets mis. Laad deze pagina opnieuw: er is niets verloren.',
    signOut: 'Afmelden',
    person: {
      intro: 'Meld je aan met je eigen naam. Alles wat je doet wordt daarmee vastgelegd.',
      name: 'Naam',
      secret: 'Pincode of wachtwoord',
      submit: 'Aanmelden',
      known: 'Mensen op dit apparaat',
      forget: 'Deze namen vergeten',
      withName: 'Aanmelden met naam en pincode',
      withToken: 'Admintoken gebruiken',
      locked: 'Vergrendeld na tien minuten zonder gebruik. Meld je opnieuw aan.',
    },
    actor: {
      title: 'Wie ben je?',
      text: 'Elke actie wordt met deze naam vastgelegd.',
      label: 'Je naam',
      submit: 'Dat ben ik',
      empty: 'Typ eerst je naam.',
      unknown: 'Wie ben je?',
      change: (name) => `Je bent ${name}. Wijzigen`,
    },
  },

  shell: {
    skip: 'Naar de inhoud',
    navigation: 'Schermen',
    more: 'Meer',
    loading: 'Laden…',
    failed: 'Dit scherm kon niet worden geladen. Controleer of de box draait.',
    again: 'Opnieuw proberen',
    newer: 'Er is een nieuwere versie.',
    restart: 'Nu herladen',
    connecting: 'Verbinden…',
    live: 'Online',
    old: (age) => `${age} oud`,
    retry: (seconds) => `nieuwe poging over ${seconds} s`,
    staleTitle: (age) => `Deze cijfers zijn ${age} oud.`,
    staleText: 'De box antwoordt niet. Deze cijfers staan stil. Poorten werken door.',
    staleSpoken: 'De cijfers zijn oud: de box antwoordt niet.',
    unreadable: 'Deze pagina is te oud. Herlaad de pagina.',
    glassTitle: 'Iemand gebruikte het admintoken.',
    glassText: (age, address) =>
      `${age} geleden, vanaf ${address}. Was dat niet een van jullie, vervang het dan op het scherm Personeel.`,
    glassLog: 'Logboek openen',
    glassSeen: 'Gezien',
    emergencies: 'Noodgevallen',
    emergencyAt: (kind, gate) => `${kind} bij ${gate}`,
    moreEmergencies: (more) => `en nog ${more}`,
    nobody: 'nog niet beantwoord',
    sealTitle: 'Het register wordt niet meer verzegeld.',
    sealText: 'Laat het register zoals het is en controleer het.',
    soundBlocked: 'De browser blokkeert het alarmgeluid.',
    allowSound: 'Geluid toestaan',
    waiting: (n) => `${n} wachtend`,
    sound: {
      on: 'Alarmgeluid is aan. Uitzetten',
      off: 'Alarmgeluid is uit. Aanzetten',
      blocked: 'De browser blokkeert het alarmgeluid. Toestaan',
    },
    mode: {
      change: (mode) => `Modus ${mode}. Wijzigen`,
      why: (mode, reason, age) => `Modus ${mode}, al ${age}: ${reason} Wijzigen`,
      cutOff: 'Andere poorten onzeker',
      degradedFor: (age) => `Al ${age} DEGRADED.`,
      goesOn: 'Poorten werken door; dubbel gebruik wordt achteraf een geval.',
      boxes: 'Bekijk de boxen',
    },
  },

  widgets: {
    close: 'Sluiten',
    closeNotice: 'Dit bericht sluiten',
    cancel: 'Annuleren',
    reason: 'Reden',
    recordedAs: (name) => `Vastgelegd op naam van ${name}.`,
  },

  incidentKinds: {
    crush: 'Gedrang',
    medical: 'EHBO',
    fire: 'Brand',
    need_staff: 'Crew nodig',
    security: 'Beveiliging',
    lost_child: 'Kind kwijt',
    access: 'Rolstoel',
    equipment: 'Techniek',
  },

  incidentStates: {
    open: 'Onbeantwoord',
    acknowledged: 'Gezien',
    assigned: 'Team gestuurd',
    resolved: 'Opgelost',
    cancelled: 'Vals alarm',
  },

  sealRefusal: {
    entries_changed: 'Verzegelde regels zijn gewijzigd.',
    entries_missing: 'Verzegelde regels ontbreken.',
    seal_changed: 'Het nieuwste zegel is gewijzigd.',
    seal_missing: 'Er ontbreekt een zegel.',
  },
}
