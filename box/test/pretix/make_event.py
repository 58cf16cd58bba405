"""Makes an organizer with two events in an empty pretix; `answer` is what a test has to know. Run by models.py."""
from datetime import datetime, timedelta, timezone
from decimal import Decimal

from pretix.base.models import Device, Event, Organizer, Team

NOW = datetime.now(timezone.utc).replace(microsecond=0)


def products(event):
    day = event.items.create(name="Day ticket", default_price=Decimal("23.00"), admission=True)
    special = event.items.create(name="Special", default_price=Decimal("80.00"), admission=True)
    vip = special.variations.create(value="VIP", default_price=Decimal("120.00"))
    crew = special.variations.create(value="Crew", default_price=Decimal("0.00"))
    mug = event.items.create(name="Mug", default_price=Decimal("9.00"), admission=False)
    lunch = event.items.create(name="Lunch", default_price=Decimal("12.00"), admission=False)
    category = event.categories.create(name="Extras", is_addon=True)
    lunch.category = category
    lunch.save()
    day.addons.create(addon_category=category, max_count=2)
    question = event.questions.create(
        question="Your shirt size?", type="S", required=False, ask_during_checkin=True, identifier="SIZE"
    )
    question.items.add(day)
    return {"day": day, "special": special, "vip": vip, "crew": crew, "mug": mug, "lunch": lunch, "question": question}


def quota(event, made, subevent=None):
    whole = event.quotas.create(name="All", size=None, subevent=subevent)
    whole.items.add(made["day"], made["special"], made["mug"], made["lunch"])
    whole.variations.add(made["vip"], made["crew"])


def event_of(organizer, slug, **more):
    event = Event.objects.create(
        organizer=organizer,
        name=slug.capitalize(),
        slug=slug,
        date_from=NOW - timedelta(hours=1),
        date_to=NOW + timedelta(hours=12),
        currency="EUR",
        live=True,
        is_public=True,
        plugins="pretix.plugins.banktransfer",
        **more,
    )
    event.settings.timezone = "Europe/Berlin"
    return event


def ids(made):
    return {name: one.pk for name, one in made.items()}


organizer = Organizer.objects.create(name="Acme", slug="acme")
summer = event_of(organizer, "summer")
summer.settings.ticket_secret_generator = "random"
made = products(summer)
quota(summer, made)
stand = summer.items.create(name="Grandstand", default_price=Decimal("40.00"), admission=True)
summer.quotas.create(name="Grandstand", size=3).items.add(stand)
summer.seat_category_mappings.create(layout_category="Stand", product=stand)
for name in ("A1", "A2", "A3"):
    summer.seats.create(zone_name="Stand", row_name="A", seat_number=name, seat_guid=name, product=stand)
entrance = summer.checkin_lists.create(name="Entrance", all_products=True)
lounge = summer.checkin_lists.create(name="Lounge", all_products=False, allow_multiple_entries=True)
lounge.limit_products.add(made["special"])
parking = summer.checkin_lists.create(name="Car park", all_products=True, allow_entry_after_exit=False)

series = event_of(organizer, "series", has_subevents=True)
sold = products(series)
dates = []
for day in range(2):
    date = series.subevents.create(
        name=f"Date {day}",
        active=True,
        date_from=NOW - timedelta(hours=1) + timedelta(days=3 * day),
        date_to=NOW + timedelta(hours=5) + timedelta(days=3 * day),
    )
    quota(series, sold, date)
    series.checkin_lists.create(name="Entrance", all_products=True, subevent=date)
    dates.append(date.pk)

team = Team.objects.create(
    organizer=organizer,
    name="Gate",
    all_events=True,
    all_event_permissions=True,
    all_organizer_permissions=True,
)
devices = [
    Device.objects.create(organizer=organizer, name=f"Box {n}", all_events=True, security_profile=profile)
    for n, profile in enumerate(("full", "pretixscan", "full", "pretixscan"))
]
answer = {
    "token": team.tokens.create(name="test").token,
    "narrow": Team.objects.create(organizer=organizer, name="Narrow", all_events=True).tokens.create(name="test").token,
    "devices": [device.initialization_token for device in devices],
    "items": {**ids(made), "stand": stand.pk},
    "series": ids(sold),
    "dates": dates,
    "lists": {"entrance": entrance.pk, "lounge": lounge.pk, "parking": parking.pk},
}
