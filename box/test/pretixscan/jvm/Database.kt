// The tables of libpretixsync's local database, as far as the compiled part names them: the app's build generates them, and without orders
// on the device nothing is read from them here.
package eu.pretix.libpretixsync.sqldelight

class Question(
    val id: Long,
    val server_id: Long?,
    val event_slug: String?,
    val position: Long?,
    val required: Boolean,
    val json_data: String?,
)

class CheckInList(
    val id: Long,
    val server_id: Long?,
    val all_items: Boolean,
    val event_slug: String?,
    val include_pending: Boolean,
    val name: String?,
    val subevent_id: Long?,
    val json_data: String?,
)

interface Found<T> {
    fun executeAsOne(): T
}

interface QuestionQueries {
    fun selectByServerId(server_id: Long?): Found<Question>
}

interface SyncDatabase {
    val questionQueries: QuestionQueries
}
